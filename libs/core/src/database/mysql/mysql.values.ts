import type { Row } from '../../sql/row.layout.js';
import type { MySqlField } from './mysql2.pool.js';

/** The numbers of types whose values `mysql2` reads in another way from a prepared statement (MySQL, protocol::Types). */
const types = { float: 4, timestamp: 7, time: 11, datetime: 12 } as const;

/** The digits of a `float` that the server writes as text. */
const floatDigits = 6;

type Exact = (value: unknown) => unknown;

/** The functions that make a value what it is in an answer that comes as text. */
const exact: ReadonlyMap<number, (decimals: number) => Exact | undefined> = new Map([
  [types.float, () => rounded],
  [types.time, withDigits],
  [types.datetime, withDigits],
  [types.timestamp, withDigits],
]);

/** A parameter as it is bound: text, numbers and bytes stay as they are, and so does null. */
export function parameterOf(value: unknown): unknown {
  switch (typeof value) {
    case 'string':
    case 'number':
      return value;
    case 'undefined':
      return null;
    case 'boolean':
      return Number(value);
    case 'object':
      if (value === null || Buffer.isBuffer(value)) return value;
      return value instanceof Date ? instantText(value) : JSON.stringify(value);
    default:
      return String(value);
  }
}

/** Instants of filters are bound as they are stored: in UTC. */
function instantText(date: Date): string {
  return date.toISOString().replace('T', ' ').replace('Z', '');
}

/**
 * Makes rows of a prepared statement those that the same statement would have if it was sent whole, as MikroORM sends it. A
 * record must not have other values within a transaction, where MikroORM's connection reads it.
 */
export function exactRows(rows: readonly Row[], fields: readonly MySqlField[]): readonly Row[] {
  let made: (readonly [position: number, exact: Exact])[] | undefined;
  for (const [position, { columnType, decimals }] of fields.entries()) {
    const make = exact.get(columnType)?.(decimals);
    if (make !== undefined) (made ??= []).push([position, make]);
  }
  if (made === undefined) return rows;
  for (const row of rows as readonly unknown[][])
    for (const [position, make] of made) {
      const value = row[position];
      if (value !== null) row[position] = make(value);
    }
  return rows;
}

function rounded(value: unknown): unknown {
  return Number((value as number).toPrecision(floatDigits));
}

/** The fractions of seconds: a prepared statement leaves out zeros. */
function withDigits(decimals: number): Exact | undefined {
  if (decimals === 0 || decimals > 6) return undefined;
  const none = `.${'0'.repeat(decimals)}`;
  return (value) => {
    const text = String(value);
    const point = text.indexOf('.');
    if (point === -1) return text + none;
    return text.padEnd(point + none.length, '0');
  };
}
