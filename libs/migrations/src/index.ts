export { Migrator, type MigratorOptions } from './migrator.js';
export { MigrationFailure } from './migration.failure.js';
