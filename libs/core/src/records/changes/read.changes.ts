import type { EntityManager, EntityMetadata } from '@mikro-orm/core';
import { BasePostgreSqlPlatform, type SqlEntityManager } from '@mikro-orm/sql';
import {
  changeMetadata,
  type ChangeOperation,
  type RecordedValues,
} from '../../metadata/recorded/change.record.js';
import { partingPropertiesOf } from '../../metadata/keys/key.property.js';
import { Dialect } from '../../sql/dialect.js';
import { parsedExactly } from '../../wire/json.text.js';
import { logTable, type LogTable } from './log.table.js';

/** The place of a change in the order in which all of them are read. */
export interface ChangePlace {
  readonly transaction: string;
  readonly id: string;
}

/** A change as {@link readChanges} gives it. */
export interface Change extends ChangePlace {
  readonly at: Date;
  readonly model: string;
  readonly recordId: string;
  /** The value of the column of `partition`, where the log is in parts. */
  readonly part?: string | number | boolean;
  readonly operation: ChangeOperation;
  readonly before: RecordedValues | null;
  readonly after: RecordedValues | null;
  /** The names of changed properties whose values the log has not. */
  readonly withheld: readonly string[];
  readonly actor: string | null;
  readonly requestId: string | null;
  readonly endpoint: string | null;
  readonly context: Readonly<Record<string, unknown>> | null;
}

type ChangeRow = Readonly<Record<'id' | 'transaction' | 'at' | 'told', string>>;

const names = [
  'model',
  'recordId',
  'operation',
  'before',
  'after',
  'withheld',
  'actor',
  'requestId',
  'endpoint',
  'context',
] as const;

/**
 * Reads the place behind all changes that can be read now. {@link readChanges} from there gives every change that a statement
 * sent after this does not see yet.
 *
 * @throws TypeError on a database that is not PostgreSQL
 */
export async function changePlace(em: EntityManager): Promise<ChangePlace> {
  const sql = em as unknown as SqlEntityManager;
  if (!(sql.getPlatform() instanceof BasePostgreSqlPlatform))
    throw new TypeError('changePlace: only PostgreSQL tells which transactions are over');
  const [row] = await sql.execute<{ readonly transaction: string }[]>(
    'select pg_snapshot_xmin(pg_current_snapshot())::text as transaction',
  );
  return { transaction: row?.transaction ?? '0', id: '0' };
}

/**
 * Reads changes in an order that skips none: by transaction, as soon as no transaction is open any more that could come before.
 * Ids are given before commits, so that "all behind the last id" would lose what is committed late. One transaction that stays
 * open anywhere in the database server holds readers back.
 *
 * @param after the place of the last change that was read; undefined for the first ones that are kept
 * @param limit the most changes to read. Default 500
 * @throws TypeError on a database that is not PostgreSQL, and where MikroORM does not know ChangeRecord
 */
export async function readChanges(
  em: EntityManager,
  after?: ChangePlace,
  limit = 500,
): Promise<readonly Change[]> {
  const log = logOf(em, 'readChanges');
  return (await rowsOf<ChangeRow>(log, toldColumns(log), { after, limit })).map(changeOf);
}

/** Changes that are read together, and whether there may be more behind them. */
export interface ChangePage {
  readonly changes: readonly Change[];
  readonly hasMore: boolean;
}

/** The most that a page of changes holds. */
export interface ChangePageLimits {
  readonly changes: number;
  /** The values before and after, as UTF-8. The first change is read however long it is. */
  readonly bytes: number;
}

/** Reads changes as {@link readChanges} does, no more than fit: each may have values of any length. */
export async function readChangePage(
  em: EntityManager,
  after: ChangePlace,
  limits: ChangePageLimits,
): Promise<ChangePage> {
  const log = logOf(em, 'readChangePage');
  const { field, sql } = log;
  const inOrder = `order by ${field('transaction')}, ${field('id')}`;
  const length = ['before', 'after']
    .map((name) => `coalesce(octet_length(${field(name)}::text), 0)`)
    .join(' + ');
  // The values of those that do not fit stay where they are: they are only measured.
  const rows = await sql.execute<(ChangeRow & { readonly found: string })[]>(
    `select ${placeColumns(log)}, ${toldColumns(log)}, page_found::text as found from
      (select log.*, count(*) over () as page_found, row_number() over (${inOrder}) as page_place,
        sum(${length}) over (${inOrder}) as page_bytes from (select log.* ${readable(log)}) log) log
      where page_place = 1 or page_bytes <= cast(? as bigint) order by page_place`.replaceAll(/\s+/g, ' '),
    [...valuesOf({ after, limit: limits.changes }), limits.bytes],
  );
  const found = Number(rows[0]?.found ?? 0);
  return { changes: rows.map(changeOf), hasMore: found === limits.changes || rows.length < found };
}

/** The columns of a change. */
function toldColumns({ field, meta }: ReadLog): string {
  const parts = partingPropertiesOf(meta).map(({ name }) => `'part', ${field(name)}`);
  const told = [...parts, ...names.map((name) => `'${name}', ${field(name)}`)].join(', ');
  return `(extract(epoch from ${field('at')}) * 1000)::text as at, jsonb_build_object(${told})::text as told`;
}

function changeOf(row: ChangeRow): Change {
  // A number that JavaScript has no equal of is its text: `1.10`, and whole ones beyond 2^53.
  const values = parsedExactly(row.told, (source) => source) as Omit<Change, 'withheld'> &
    Pick<Partial<Change>, 'withheld'>;
  return {
    ...values,
    withheld: values.withheld ?? [],
    id: row.id,
    transaction: row.transaction,
    at: new Date(Number(row.at)),
  };
}

/** A change without what was changed. */
export type ChangedKey = Pick<Change, keyof ChangePlace | 'model' | 'recordId'>;

/**
 * Reads which records changed, in the order of {@link readChanges}. Values, which may be large and of anybody, stay in the
 * database.
 */
export function readChangedKeys(
  em: EntityManager,
  after: ChangePlace,
  limit: number,
): Promise<readonly ChangedKey[]> {
  const log = logOf(em, 'readChangedKeys');
  const columns = `${log.field('model')} as model, ${log.field('recordId')} as "recordId"`;
  return rowsOf<ChangedKey>(log, columns, { after, limit });
}

/** The log of an entity manager. */
interface ReadLog extends LogTable {
  readonly sql: SqlEntityManager;
  readonly meta: EntityMetadata;
}

/** @param reader the function that reads, as its errors name it */
function logOf(em: EntityManager, reader: string): ReadLog {
  const sql = em as unknown as SqlEntityManager;
  const platform = sql.getPlatform();
  if (!(platform instanceof BasePostgreSqlPlatform))
    throw new TypeError(`${reader}: only PostgreSQL tells which transactions are over`);
  const meta = changeMetadata(sql.getMetadata());
  if (meta === undefined) throw new TypeError(`${reader}: MikroORM does not know ChangeRecord`);
  return { sql, meta, ...logTable(sql, meta, new Dialect(platform)) };
}

/** The first changes behind a place. */
interface Behind {
  readonly after: ChangePlace | undefined;
  readonly limit: number;
}

/** Reads columns of changes, with their places. */
async function rowsOf<Read extends ChangePlace>(
  log: ReadLog,
  columns: string,
  behind: Behind,
): Promise<readonly Read[]> {
  const text = `select ${placeColumns(log)}, ${columns} ${readable(log)}`.replaceAll(/\s+/g, ' ');
  return log.sql.execute<Read[]>(text, valuesOf(behind));
}

function placeColumns({ field }: ReadLog): string {
  return `${field('id')}::text as id, ${field('transaction')}::text as transaction`;
}

/** The part of a statement that says which changes are read; its values are those of {@link valuesOf}. */
function readable({ table, field }: ReadLog): string {
  const [id, transaction] = [field('id'), field('transaction')];
  return `from ${table} as log
      where ${transaction} < pg_snapshot_xmin(pg_current_snapshot())
        and (${transaction}, ${id}) > (cast(? as xid8), cast(? as bigint))
      order by log.${transaction}, log.${id} limit cast(? as bigint)`;
}

function valuesOf({ after, limit }: Behind): (string | number)[] {
  return [after?.transaction ?? '0', after?.id ?? '0', limit];
}
