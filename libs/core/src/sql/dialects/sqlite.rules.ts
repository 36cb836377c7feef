import { standard, type DialectRules } from './dialect.rules.js';

/** Drivers hand integers over as JavaScript numbers, which are exact only to 2^53; the rest comes as it is stored. */
function exactOfSqlite(expression: string): string {
  return `iif(typeof(${expression}) = 'integer', cast(${expression} as text), ${expression})`;
}

/**
 * The value with its type, which an expression other than a column does not say: there every number is less than every text. So a
 * text begins with a quote. Integers, and what is infinite, are text without one, because JSON does not keep them.
 */
function cursorOfSqlite(expression: string): string {
  const real = `iif(abs(${expression}) < 9e999, ${expression}, cast(${expression} as text))`;
  return `case typeof(${expression}) when 'integer' then cast(${expression} as text) when 'real' then ${real} else '''' || ${expression} end`;
}

/** The value that {@link cursorOfSqlite} wrote. Cursors of before have texts without a quote. */
function fromCursorOfSqlite(value: string | number | null): unknown {
  if (typeof value !== 'string') return value;
  if (value.startsWith("'")) return value.slice(1);
  if (/^-?Inf$/.test(value)) return Number(value.replace('Inf', 'Infinity'));
  return /^-?\d{1,19}$/.test(value) ? BigInt(value) : value;
}

/** The days since noon in 4714 BC, as milliseconds since 1970: `unixepoch` has no parts of seconds before 3.42. */
const sqliteNow = `cast(round((julianday('now') - 2440587.5) * 86400000) as integer)`;

/** The rules of SQLite. */
export const sqlite: DialectRules = {
  ...standard,
  asText: exactOfSqlite,
  asCursor: cursorOfSqlite,
  fromCursor: fromCursorOfSqlite,
  instant: (date) => date.getTime(),
  secondDigits: 3,
  // better-sqlite3 throws at a boolean, libsql 0.5 even ends the process.
  boolean: Number,
  // An expression without a type is never equal to text, in which exact numbers are bound.
  computed: (expression, columnType) =>
    /^(?:bigint|numeric|decimal)/.test(columnType) ? `cast(${expression} as numeric)` : expression,
  roundsIntegers: true,
  upsert: 'on conflict',
  clock: { now: sqliteNow, after: (milliseconds) => `${sqliteNow} + ${milliseconds}` },
  among(expression, width, parameter) {
    const list = `json_each(${parameter(JSON.stringify)})`;
    if (width === 0) return `${expression} in (select value from ${list})`;
    return `exists (select 1 from ${list} where ${expression} >= value and ${expression} < value + ${width})`;
  },
};
