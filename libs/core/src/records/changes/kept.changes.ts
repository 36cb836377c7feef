import type { EntityManager, EntityName } from '@mikro-orm/core';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { partingPropertiesOf } from '../../metadata/keys/key.property.js';
import { changeMetadata } from '../../metadata/recorded/change.record.js';
import { recordedEntities } from '../../metadata/recorded/recorded.entity.js';
import { Dialect } from '../../sql/dialect.js';
import { logTable } from './log.table.js';
import type { ChangePlace } from './read.changes.js';

/** The most rows that one statement deletes, so that locks and logs stay small. */
const batch = 1000;

/** The names of the log in SQL. */
function logOf(em: EntityManager, owner: string) {
  const sql = em as unknown as SqlEntityManager;
  const metadata = sql.getMetadata();
  const meta = changeMetadata(metadata);
  const dialect = new Dialect(sql.getPlatform());
  if (meta === undefined || !dialect.hasCatalogue)
    throw new TypeError(`${owner}: there is no log of changes that is kept on PostgreSQL`);
  const { table, field } = logTable(sql, meta, dialect);
  return {
    sql,
    table,
    field,
    part: partingPropertiesOf(meta).map(({ name }) => field(name))[0],
    recorded: recordedEntities(metadata),
  };
}

/**
 * Empties the values that the log has of one record, and who made its changes. The rows stay, with the names of what changed: so
 * that a reader skips nothing.
 *
 * @param id the key of the record; of a key of a tenant and an id a list of both
 * @returns the number of rows
 */
export async function eraseChanges<E extends object>(
  em: EntityManager,
  entity: EntityName<E>,
  id: string | number | bigint | readonly [part: string | number | boolean, id: string | number | bigint],
): Promise<number> {
  const { sql, table, field, part, recorded } = logOf(em, 'eraseChanges');
  const [own, ...parts] = [id].flat().toReversed();
  if (parts.length !== (part === undefined ? 0 : 1))
    throw new TypeError(
      `eraseChanges: the key of the record is ${part === undefined ? 'one value' : '[part, id]'}`,
    );
  const meta = sql.getMetadata().find(entity as EntityName);
  const name = meta && recorded.get(meta)?.name;
  if (name === undefined) throw new TypeError('eraseChanges: changes of the entity are not recorded');
  const [before, after, withheld] = [field('before'), field('after'), field('withheld')];
  const rows = await sql.execute<unknown[]>(
    `update ${table} set ${withheld} = (select jsonb_agg(distinct k) from (
        select jsonb_object_keys(${before}) as k union select jsonb_object_keys(${after})
        union select jsonb_array_elements_text(coalesce(${withheld}, '[]'))) as names),
      ${before} = null, ${after} = null, ${field('actor')} = null, ${field('context')} = null
    where ${part === undefined ? '' : `${part} = ? and `}${field('model')} = ? and ${field('recordId')} = ? returning 1`.replaceAll(
      /\s+/g,
      ' ',
    ),
    [...parts, name, String(own)],
  );
  return rows.length;
}

/**
 * Deletes changes that are older than `keepFor` of their entity, a thousand at a time. Others may do so at the same time.
 *
 * @param read the place of the last change that every reader has read: those behind it stay, whatever time they have. Default: all
 *   that can be read are
 * @returns the number of rows
 */
export async function pruneChanges(em: EntityManager, read?: ChangePlace): Promise<number> {
  const { sql, table, field, part, recorded } = logOf(em, 'pruneChanges');
  const limits = new Map([...recorded.values()].map(({ name, options }) => [name, options.keepFor]));
  const [id, at, model] = [field('id'), field('at'), field('model')];
  const transaction = field('transaction');
  const place = `(${transaction}, ${id}) <= (cast(? as xid8), cast(? as bigint))`;
  // Nobody reads what has no transaction: it came from another database.
  const isRead = read === undefined ? `${transaction} < pg_snapshot_xmin(pg_current_snapshot())` : place;
  const held = `and (${transaction} is null or ${isRead})`;
  const isOver = `${model} = ? and ${at} < clock_timestamp() - cast(? as float8) * interval '1 millisecond' ${held}`;
  const ofPart = part === undefined ? '' : `${part} = ? and `;
  const statement = `delete from ${table} where ${ofPart}${id} in (select ${id} from ${table}
    where ${ofPart}${isOver} order by ${at} limit ${batch} for update skip locked) returning 1`.replaceAll(
    /\s+/g,
    ' ',
  );
  let count = 0;
  for (const [name, keepFor] of limits) {
    if (keepFor === 'forever') continue;
    const over = [name, keepFor, ...(read === undefined ? [] : [read.transaction, read.id])];
    const parts =
      part === undefined
        ? [[]]
        : await sql.execute<object[]>(`select distinct ${part} as part from ${table} where ${isOver}`, over);
    for (const one of parts) {
      const values = Object.values(one) as unknown[];
      for (let length = batch; length === batch; count += length)
        ({ length } = await sql.execute<unknown[]>(statement, [...values, ...values, ...over]));
    }
  }
  return count;
}
