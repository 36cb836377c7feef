import type { EntityMetadata } from '@mikro-orm/core';
import { partingPropertiesOf } from '../../metadata/keys/key.property.js';
import type { Dialect } from '../../sql/dialect.js';
import { StatementWriter, type Statement } from '../../sql/statement.js';
import type { TableSql } from '../../sql/table.sql.js';

/** A placeholder for the next value of a statement. */
type Next = () => string;

/** The most rows that one statement sweeps, so that locks and logs stay small. */
export const batch = 1000;

/**
 * The statements about answers that are kept. Where the table is in parts, each but {@link parts} names one. Their values are in
 * the order of their text.
 */
export interface KeptStatements {
  readonly claim: Statement;
  readonly keep: Statement;
  readonly find: Statement;
  readonly findLive: Statement;
  /** Deletes what has expired, but for rows that others have locked, and answers with a row for each that it has deleted. */
  readonly sweep: Statement;
  /** Finds whether a sweep has left something; undefined where the answer of the sweep tells. */
  readonly left: Statement | undefined;
  /** Finds the parts that have something to be swept; undefined where the table is whole. */
  readonly parts: Statement | undefined;
}

/** Writes the statements about the table of kept answers, as it is among the tables of a schema. */
export function keptStatements(
  dialect: Dialect,
  clock: NonNullable<Dialect['clock']>,
  meta: EntityMetadata,
  tables: TableSql,
): KeptStatements {
  const field = (name: string): string => {
    const property = meta.props.find((one) => one.name === name);
    return dialect.quote(property?.fieldNames[0] ?? name);
  };
  const [id, request, expiresAt] = [field('id'), field('request'), field('expiresAt')];
  const answer = ['status', 'data', 'entityTag', 'recordKey'].map(field);
  const table = tables.table(meta);
  const part = partingPropertiesOf(meta).map(({ name }) => field(name));
  const ofPart = (next: Next): string => part.map((name) => `${name} = ${next()} and `).join('');
  const fields = { table, part, ofPart, id, request, expiresAt, answer };
  const written = dialect.upsert === 'on duplicate key' ? byDuplicateKey : byConflict;
  const { claim, sweep, left } = written(fields, clock, dialect);
  const statement = (write: (next: Next) => string): Statement => {
    const writer = new StatementWriter(dialect);
    let position = 0;
    const text = write(() => {
      const index = position++;
      return writer.parameter(({ values }) => values?.[index]);
    });
    return writer.write(text).finish();
  };
  const find = (next: Next): string =>
    `select ${request}, ${answer.join(', ')} from ${table} where ${ofPart(next)}${id} = ${next()}`;
  const isOver = `${expiresAt} <= ${clock.now}`;
  return {
    claim: statement(claim),
    keep: statement(
      (next) => `update ${table} set ${answer.map((name) => `${name} = ${next()}`).join(', ')}
        where ${ofPart(next)}${id} = ${next()}`,
    ),
    find: statement(find),
    findLive: statement((next) => `${find(next)} and ${expiresAt} > ${clock.now}`),
    sweep: statement(sweep),
    left: left === undefined ? undefined : statement(left),
    parts:
      part.length === 0
        ? undefined
        : statement(() => `select distinct ${part.join(', ')} from ${table} where ${isOver} limit ${batch}`),
  };
}

/** The names of the table and its columns, as SQL. */
interface Fields {
  readonly table: string;
  /** The column of the part: none where the table is whole. */
  readonly part: readonly string[];
  /** Writes the condition on it, with what joins it to the next one. */
  readonly ofPart: (next: Next) => string;
  readonly id: string;
  readonly request: string;
  readonly expiresAt: string;
  readonly answer: readonly string[];
}

/** The statements that databases write in different ways. A claim answers with the number 1 where it was made. */
interface OwnStatements {
  readonly claim: (next: Next) => string;
  readonly sweep: (next: Next) => string;
  readonly left?: (next: Next) => string;
}

function byConflict(
  { table, part, ofPart, id, request, expiresAt, answer }: Fields,
  clock: NonNullable<Dialect['clock']>,
  dialect: Dialect,
): OwnStatements {
  const kept = dialect.quote('kept');
  const locked = dialect.skipsLocked ? ' for update skip locked' : '';
  const [stored, renewed] = [`${kept}.${expiresAt}`, `excluded.${expiresAt}`];
  const key = [...part, id];
  return {
    claim: (next) => `insert into ${table} as ${kept} (${[...key, request, expiresAt].join(', ')})
        values (${[...key, request].map(next).join(', ')}, ${clock.after(next())})
        on conflict (${key.join(', ')}) do update set ${request} = excluded.${request}, ${expiresAt} = ${renewed},
          ${answer.map((name) => `${name} = null`).join(', ')}
        where ${clock.isOver?.(stored, renewed, next()) ?? `${stored} <= ${clock.now}`} returning 1 as claimed`,
    sweep: (next) => `delete from ${table} where ${ofPart(next)}${id} in (
        select ${id} from ${table} where ${ofPart(next)}${expiresAt} <= ${clock.now} limit ${batch}${locked})
        returning 1 as swept`,
  };
}

/**
 * MariaDB has no condition there: what is not expired is set to what it is. A row without an answer is one that this statement
 * has made or emptied, because no other is ever committed. It sets columns one after the other, so that the time comes last.
 *
 * A delete that leaves out what is locked begins with the rows that it has found, so that it looks at no other: that is one of several
 * tables there, which does not answer.
 */
function byDuplicateKey(
  { table, part, ofPart, id, request, expiresAt, answer }: Fields,
  clock: NonNullable<Dialect['clock']>,
): OwnStatements {
  const [, data = id] = answer;
  const isOver = `${expiresAt} <= ${clock.now}`;
  const set = (name: string, value: string): string => `${name} = if(${isOver}, ${value}, ${name})`;
  const emptied = answer.map((name) => set(name, 'null'));
  const renewed = [request, expiresAt].map((name) => set(name, `values(${name})`));
  const key = [...part, id];
  const found = (next: Next): string => `${ofPart(next)}${isOver}`;
  return {
    claim: (next) => `insert into ${table} (${[...key, request, expiresAt].join(', ')})
        values (${[...key, request].map(next).join(', ')}, ${clock.after(next())})
        on duplicate key update ${[...emptied, ...renewed].join(', ')}
        returning ${data} is null as claimed`,
    sweep: (next) => `delete swept from (
        select ${key.join(', ')} from ${table} where ${found(next)} limit ${batch} for update skip locked) as due
        straight_join ${table} as swept on ${key.map((name) => `swept.${name} = due.${name}`).join(' and ')}`,
    left: (next) => `select 1 as due from ${table} where ${found(next)} limit 1 for update skip locked`,
  };
}
