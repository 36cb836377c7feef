export { AdditionalMigrations } from './additional.migrations.js';
export type { CommandName } from './commands/command.table.js';
export type { Cursor } from './database/database.of.cursor.js';
export type { Row, Session } from './database/session.js';
export type {
  ComparisonRules,
  DividedSteps,
  PossibleRename,
  RequiredColumn,
  RetypedColumn,
  SchemaChange,
  SchemaDiffTool,
  SchemaStep,
  TableName,
} from './diff/schema.diff.tool.js';
export { sqlFromChangeTriggers, sqlFromEntities, type EntitiesSql } from './entities.sql.js';
export { MigrationFailure } from './migration.failure.js';
export { Migrations } from './migrations.js';
export type { MigrationsOptions } from './migrations.options.js';
export { Migrator, type MigratorOptions } from './migrator.js';
export type { MigrationRules, SqlSource } from './migrator.options.js';
export type { Fills } from './safety/fills.js';
export type { Rename } from './safety/renames.js';
export type {
  TellProgress,
  TenantCommand,
  TenantMigrations,
  TenantSchema,
} from './schemas/tenant.migrator.js';
