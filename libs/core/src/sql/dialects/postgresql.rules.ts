import { arrayLiteral, type Item } from '../array.literal.js';
import { lastInstant, standard, type DialectRules } from './dialect.rules.js';

/** The last instant that was written: the time of a request is written many times. */
let written = { time: Number.NaN, text: '' };

function instantText(date: Date): string {
  const time = date.getTime();
  if (time !== written.time) written = { time, text: date.toISOString() };
  return written.text;
}

/** A type by a name that needs no quotes. */
const plainType = /^[a-z][a-z0-9_ ]*(?:\[\])*$/;

/** Types whose bare name is one of a single character, bit or precision, and the ones that leave the length to the column. */
const lengthless = [
  [/^(?:national )?(?:character|char|nchar)(?! varying)\b/, 'bpchar'],
  [/^bit(?! varying)\b/, 'varbit'],
  [/^float\((?:1?\d|2[0-4])\)/, 'real'],
] as const;

/**
 * The type of a column without its length and digits. An assignment takes these as the column has them, and refuses a text
 * that is too long, where a cast would cut it without a word.
 */
function uncutType(columnType: string): string {
  for (const [named, type] of lengthless)
    if (named.test(columnType)) return columnType.replace(named, type).replace(/\(.*?\)/, '');
  return columnType.replace(/\(.*?\)/, '').replace(/serial$/, 'int');
}

/** The first of the instants that are written alike, in PostgreSQL; other values as they are. */
export function asWritten(expression: string, width: number): string {
  if (width === 0) return expression;
  return `date_trunc('${width >= 1000 ? 'second' : 'milliseconds'}', ${expression})`;
}

/** The rules of PostgreSQL, and of PGlite. */
export const postgreSql: DialectRules = {
  placeholder: (position) => `$${position}`,
  secondDigits: standard.secondDigits,
  asText: (expression) => `${expression}::text`,
  asDecimal: standard.asDecimal,
  asDouble: standard.asDouble,
  asCursor: (expression) => `${expression}::text`,
  // The end of the last second lies in the year 10000, which ISO 8601 writes as PostgreSQL does not read it.
  instant: (date) => (date.getTime() > lastInstant ? 'infinity' : instantText(date)),
  backslash: standard.backslash,
  likeInAnyCase: (expression, pattern) => `${expression} ilike ${pattern}`,
  among(expression, width, parameter) {
    return `${asWritten(expression, width)} = any(${parameter((values) => arrayLiteral(values as readonly Item[]))})`;
  },
  countsWithPage: true,
  comparesRows: true,
  hasLateral: true,
  within: standard.within,
  rowVersion: 'ctid',
  hasRowLevelSecurity: true,
  skipsLocked: true,
  catalogue: 'pg_catalog',
  upsert: 'on conflict',
  returning: 'full',
  apart: ' offset 0',
  clock: {
    now: 'statement_timestamp()',
    after: (milliseconds) => `statement_timestamp() + ${milliseconds}::float8 * interval '1 millisecond'`,
    isOver: (stored, renewed, milliseconds) =>
      `${renewed} - ${stored} >= ${milliseconds}::float8 * interval '1 millisecond'`,
  },
  explain: 'explain (format json) ',
  cast: (placeholder, columnType) => {
    const type = uncutType(columnType);
    return plainType.test(type) ? `${placeholder}::${type}` : undefined;
  },
};
