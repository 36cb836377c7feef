import type { EntityMetadata } from '@mikro-orm/core';
import type { Database } from '../../database/database.js';
import type { Reach } from '../../database/reach.problem.js';
import { keyPropertyOf, partingPropertiesOf } from '../../metadata/keys/key.property.js';
import { changeMetadata } from '../../metadata/recorded/change.record.js';
import { storedField, storedType } from '../../metadata/stored.fields.js';
import { StatementWriter } from '../../sql/statement.js';
import { Session } from '../../visibility/session.js';
import { ConfigurationError } from '../../wire/configuration.error.js';
import { keptMetadata } from '../idempotency/idempotency.record.js';

/**
 * Looks if tables of our own are in parts where their entities are, on PostgreSQL. A database that is away is no reason not to
 * start, nor a table that is not there yet.
 *
 * @throws ConfigurationError with the statements that bring a table from before into parts
 */
export async function checkPartedTables(database: Database, isReached: Reach): Promise<void> {
  const { orm, dialect } = database;
  const metadata = orm.getMetadata();
  const ours = {
    partedIdempotencyRecord: keptMetadata(metadata),
    partedChangeRecord: changeMetadata(metadata),
  };
  const parted = Object.entries(ours).filter(
    ([, meta]) => meta !== undefined && partingPropertiesOf(meta).length > 0,
  );
  if (parted.length === 0 || !dialect.hasRowLevelSecurity || !(await isReached())) return;
  for (const [owner, meta] of parted) if (meta !== undefined) await checkTable(database, owner, meta);
}

async function checkTable(database: Database, owner: string, meta: EntityMetadata): Promise<void> {
  const { dialect, tables } = database;
  const [part] = partingPropertiesOf(meta);
  if (part === undefined) return;
  const table = tables.table(meta);
  const question = new StatementWriter(dialect).write(
    `select a.attname::text as c0, k.conname::text as c1
    from pg_class as c left join pg_constraint as k on k.conrelid = c.oid and k.contype = 'p'
      left join pg_attribute as a on a.attrelid = c.oid and a.attnum = k.conkey[1]
    where c.oid = to_regclass(${dialect.platform.quoteValue(table)})`,
  );
  const [row] = await new Session(database).run(question.finish(), {});
  if (row === undefined || row[0] === storedField(part)) return;
  const [, key] = row;
  const [own, id] = [part, keyPropertyOf(meta)].map((property) => dialect.quote(storedField(property)));
  const dropped = typeof key === 'string' ? `drop constraint ${dialect.quote(key)}, ` : '';
  const altered = `${dropped}add column ${own} ${storedType(part)} not null, add primary key (${own}, ${id})`;
  throw new ConfigurationError(
    owner,
    part.name,
    `the key of the table ${table} does not begin with it. What is kept there is of no part, and goes: delete from ${table}; alter table ${table} ${altered}`,
  );
}
