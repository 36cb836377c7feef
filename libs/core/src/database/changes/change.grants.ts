import type { EntityManager } from '@mikro-orm/core';
import { BasePostgreSqlPlatform, type SqlEntityManager } from '@mikro-orm/sql';
import { keyPropertyOf } from '../../metadata/keys/key.property.js';
import { ChangeLog } from './change.log.js';

/**
 * The SQL that gives a role what the log of changes needs of it: to read it, and to write it where no trigger does. Nothing lets
 * it change what was written; erasing and the sweep need more.
 *
 * @throws TypeError where nothing is recorded on PostgreSQL
 */
export function changeGrantsSql(em: EntityManager, role: string): string {
  const log = ChangeLog.of(em);
  const platform = (em as unknown as SqlEntityManager).getPlatform();
  if (log === undefined || !(platform instanceof BasePostgreSqlPlatform))
    throw new TypeError('changeGrantsSql: there is no log of changes that is kept on PostgreSQL');
  const { meta } = log;
  const schema = meta.schema ?? em.config.get('schema') ?? platform.getDefaultSchemaName() ?? 'public';
  const named = (name: string): string =>
    `${platform.quoteIdentifier(schema)}.${platform.quoteIdentifier(name)}`;
  const to = platform.quoteIdentifier(role);
  const isWritten = log.triggered.length < [...log.targets].length;
  const key = keyPropertyOf(meta).fieldNames[0] ?? 'id';
  const table = `grant select${isWritten ? ', insert' : ''} on ${named(meta.tableName)} to ${to};\n`;
  const sequence = `grant usage on sequence ${named(`${meta.tableName}_${key}_seq`)} to ${to};\n`;
  return isWritten ? table + sequence : table;
}
