import { lastInstant, standard, type DialectRules } from './dialect.rules.js';

/** The last instant of the calendar: the year 10000 cannot be said, and there is no infinity. */
const lastOfMySql = '9999-12-31 23:59:59.999999';

const textTypes = /^(?:(?:var)?char|(?:tiny|medium|long)?text|enum|set)/;

/** The rules of MySQL, and of MariaDB where these have none of their own. */
export const mySql: DialectRules = {
  ...standard,
  // Text made by a cast has the collation of the connection; an enum keeps that of its column.
  asText: (expression) => `concat(${expression}, '')`,
  // A sum is one already. Behind a cast it would be compared with text in double precision.
  asDecimal: (expression) => expression,
  asDouble: (expression) => `cast(${expression} as double)`,
  asCursor: (expression) => `cast(${expression} as char)`,
  roundsLists: true,
  instant: (date) =>
    date.getTime() > lastInstant ? lastOfMySql : date.toISOString().replace('T', ' ').replace('Z', ''),
  secondDigits: 0,
  within: ['(select * from (', ') as found)'],
  comparesRows: false,
  isolation: 'read committed',
  skipsLocked: true,
  // A collation may take other letters for the same.
  differs: (stored, value, columnType) =>
    textTypes.test(columnType)
      ? `not (binary convert(${stored} using utf8mb4) <=> binary ${value})`
      : `not (${stored} <=> ${value})`,
  incomparable: /^(?:json|float)/,
  comparable: new RegExp(`${textTypes.source}|^(?:(?:tiny|small|medium)?int|double|date)`),
  slowTypes: /^(?:datetime|timestamp)/,
  // An enum is ordered by the places of its values; text of it has the collation of its column.
  ranked: (expression, columnType) =>
    columnType.startsWith('enum') ? `concat(${expression}, '')` : expression,
  backslash: String.raw`'\\'`,
  catalogue: 'information_schema',
  checksAreNamedIn: 'schemas',
  // A collation may tell cases apart.
  likeInAnyCase: (expression, pattern) => `lower(${expression}) like lower(${pattern})`,
};

/** Instants are stored in UTC, whatever zone a session has. */
const mariaDbNow = 'utc_timestamp(6)';

/** The rules of MariaDB. */
export const mariaDb: DialectRules = {
  ...mySql,
  checksAreNamedIn: 'tables',
  upsert: 'on duplicate key',
  returning: 'plain',
  clock: {
    now: mariaDbNow,
    after: (milliseconds) => `date_add(${mariaDbNow}, interval (${milliseconds} * 1000) microsecond)`,
  },
};
