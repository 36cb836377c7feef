import type { EntityManager, EntityMetadata } from '@mikro-orm/core';
import type { AbstractSqlDriver } from '@mikro-orm/sql';
import { ChangeTriggerSql, type TableTriggers } from '../../sql/changes/change.trigger.sql.js';
import { Dialect } from '../../sql/dialect.js';
import { TableSql } from '../../sql/table.sql.js';
import { ChangeLog } from './change.log.js';

/**
 * The triggers of every table whose changes the database records itself. Several entities of one table have those of the first,
 * with the columns of all.
 *
 * @param schema of tables without one of their own. Default that of MikroORM's configuration, or of the database
 */
export function changeTriggers(em: EntityManager, schema?: string): readonly TableTriggers[] {
  const targets = ChangeLog.of(em)?.triggered ?? [];
  if (targets.length === 0) return [];
  const driver = em.getDriver() as unknown as AbstractSqlDriver;
  const dialect = new Dialect(driver.getPlatform());
  const own = schema ?? em.config.get('schema') ?? dialect.platform.getDefaultSchemaName() ?? 'public';
  const sql = new ChangeTriggerSql(dialect, new TableSql(driver, dialect, own), own);
  const tables = Map.groupBy(targets, ({ entity }) => tableOf(entity.meta));
  return [...tables.values()].flatMap(([first, ...more]) => {
    if (first === undefined) return [];
    const fields = new Map(
      [first, ...more].flatMap(({ entity }) =>
        entity.columns.map((one) => [one.property.name, one] as const),
      ),
    );
    return [sql.of({ ...first, entity: { ...first.entity, columns: [...fields.values()] } })];
  });
}

/**
 * The SQL that makes the functions and triggers of entities with `capture: 'trigger'`, and replaces those that are there.
 * Empty where there are none. For migrations of any tool; `sqlFromEntities()` of `@nest-endpoints/migrations` has it.
 *
 * @param schema of tables without one of their own. Default that of MikroORM's configuration
 * @throws ConfigurationError for entities that no trigger can record
 */
export function changeTriggersSql(em: EntityManager, schema?: string): string {
  const statements = changeTriggers(em, schema).flatMap(({ all }) => all.flatMap(({ sql }) => sql));
  return statements.map((statement) => `${statement}\n`).join('');
}

function tableOf({ schema, tableName }: EntityMetadata): string {
  return JSON.stringify([schema, tableName]);
}
