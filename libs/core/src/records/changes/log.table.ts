import type { EntityMetadata } from '@mikro-orm/core';
import type { SqlEntityManager } from '@mikro-orm/sql';
import type { Dialect } from '../../sql/dialect.js';

/** The names of the log of changes in SQL. */
export interface LogTable {
  /** Its table in the schema of the entity manager, or of MikroORM's configuration. */
  readonly table: string;
  /** Gives the quoted name of a property's column. */
  readonly field: (name: string) => string;
}

/** Names the log as statements past MikroORM do. */
export function logTable(em: SqlEntityManager, meta: EntityMetadata, dialect: Dialect): LogTable {
  const schema = meta.schema ?? em.schema ?? em.config.get('schema');
  const prefix = schema === undefined ? '' : `${dialect.quote(schema)}.`;
  return {
    table: `${prefix}${dialect.quote(meta.tableName)}`,
    field: (name) => dialect.quote(meta.props.find((one) => one.name === name)?.fieldNames[0] ?? name),
  };
}
