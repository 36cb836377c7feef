import { BaseMySqlPlatform, BasePostgreSqlPlatform, SqlitePlatform } from '@mikro-orm/sql';
import type { Column } from '../../model/column.js';
import { storedType } from '../../metadata/stored.fields.js';
import { textOf } from '../comparison.js';
import type { Bucket } from '../../query/groups/calculation.js';
import type { Grouping, GroupParts, Measure } from '../../query/groups/group.plan.js';
import { keptTimeOf, type KeptTime } from '../../query/groups/kept.time.js';
import type { Dialect } from '../dialect.js';
import type { Scope } from '../scope.js';

/** A time whose span is written. */
interface Time {
  readonly value: string;
  readonly kept: KeptTime;
  /** A parameter for the time zone. */
  readonly zone: () => string;
}

/** The calculations of one family of databases. */
interface Calculations {
  readonly knowsTimeZones: boolean;
  /** True if the mean of whole numbers has four digits behind the point, and no more. */
  readonly roundsMeans?: true;
  bucket(time: Time, bucket: Bucket): string;
  /** The value of a whole column, without what answers cannot tell. */
  told(value: string, column: Column): string;
  /** Gives the reason why a measure would not be exact, or not be there. */
  reasonAgainst(measure: Measure): string | undefined;
}

/** The span of a time of the years 0001 to 9999, in PostgreSQL. */
function spanOf({ value, kept, zone }: Time, bucket: Bucket): string {
  if (kept === 'day') return `date_trunc('${bucket}', ${value}::timestamp)::date`;
  const instant = kept === 'local' ? `${value} at time zone 'UTC'` : value;
  // An hour that a clock shows twice is two; a day is one of the calendar, however long it is.
  if (bucket === 'hour') return `date_trunc('hour', ${instant}, ${zone()}::text)`;
  return `date_trunc('${bucket}', (${instant}) at time zone ${zone()}::text)::date`;
}

/** A span, or null where answers cannot tell the time or the span: a zone begins some of the first and last days in other years. */
function toldSpan(time: Time, bucket: Bucket): string {
  const { value, kept } = time;
  if (kept === 'day') return toldTime(value, () => spanOf(time, bucket));
  const span = (): string => spanOf(time, bucket);
  // All others have their span worked out once. Each writing of it has a parameter, and they stand in order.
  return `case when ${value} >= '0001-01-03' and ${value} < '9999-12-30' then ${span()} else ${toldTime(value, () => `case when ${isTold(span)} then ${span()} end`)} end`;
}

/** True of the years 0001 to 9999 in UTC, whichever zone a session has: where a type has no zone, that of a literal means nothing. */
function isTold(value: () => string): string {
  return `${value()} >= '0001-01-01 00:00:00+00' and ${value()} < '10000-01-01 00:00:00+00'`;
}

function toldTime(value: string, told: () => string): string {
  return `case when ${isTold(() => value)} then ${told()} end`;
}

const postgreSql: Calculations = {
  knowsTimeZones: true,
  // What answers cannot tell is in the group of null: an infinite day has no month, and days end later than timestamps.
  bucket: toldSpan,
  told(value, column) {
    if (keptTimeOf(column) !== undefined) return toldTime(value, () => value);
    if (column.type.arithmetic !== 'decimal') return value;
    return `case when ${value}::text not in ('NaN', 'Infinity', '-Infinity') then ${value} end`;
  },
  reasonAgainst: () => undefined,
};

const hour = 3_600_000;

/** Days are text, instants are milliseconds since 1970. */
const sqliteSteps = {
  hour: '',
  day: '',
  // The Monday that is not after the day.
  week: ", '-6 days', 'weekday 1'",
  month: ", 'start of month'",
  quarter: '',
  year: ", 'start of year'",
} as const satisfies Record<Bucket, string>;

/** The ends of the years 0001 to 9999. */
const firstInstant = Date.parse('0001-01-01T00:00:00.000Z');
const lastInstant = Date.parse('9999-12-31T23:59:59.999Z');

function sqliteSpan(value: string, isOfDays: boolean, bucket: Bucket): string {
  if (bucket === 'hour') return `${value} - ((${value} % ${hour}) + ${hour}) % ${hour}`;
  const day = isOfDays ? value : `${value} / 1000.0, 'unixepoch'`;
  if (bucket !== 'quarter') return `date(${day}${sqliteSteps[bucket]})`;
  const months = `((strftime('%m', ${day}) - 1) / 3 * 3) || ' months'`;
  return `date(${day}, 'start of year', '+' || ${months})`;
}

const sqlite: Calculations = {
  knowsTimeZones: false,
  // Days are those of UTC, so that no span of a time that is told begins in another year.
  bucket({ value, kept }, bucket) {
    const isOfDays = kept === 'day';
    const isTold = isOfDays
      ? `${value} >= '0001-01-01'`
      : `${value} between ${firstInstant} and ${lastInstant}`;
    return `case when ${isTold} then ${sqliteSpan(value, isOfDays, bucket)} end`;
  },
  // There is no date of what is no day.
  told: (value, column) =>
    keptTimeOf(column) === 'day'
      ? `case when typeof(${value}) <> 'text' or date(${value}) >= '0001-01-01' then ${value} end`
      : value,
  reasonAgainst({ path, calculation }) {
    if (path === undefined || (calculation !== 'sum' && calculation !== 'avg')) return undefined;
    const { type, property } = path.column;
    const isWide =
      type.arithmetic === 'integer' &&
      calculation === 'sum' &&
      /^bigint/i.test(property.columnTypes[0] ?? '');
    return type.arithmetic === 'decimal' || isWide
      ? 'SQLite does not add such numbers up exactly'
      : undefined;
  },
};

/** Instants are those of UTC. The first day of a span is found by going back from the day itself. */
const mySqlDays = {
  day: () => '',
  week: (day) => ` - interval weekday(${day}) day`,
  month: (day) => ` - interval dayofmonth(${day}) - 1 day`,
  quarter: (day) => ` - interval dayofmonth(${day}) - 1 day - interval (month(${day}) - 1) % 3 month`,
  year: (day) => ` - interval dayofyear(${day}) - 1 day`,
} as const satisfies Record<Exclude<Bucket, 'hour'>, (day: string) => string>;

/** Without the year 0, and without days that are none: these have no number. */
function mySqlTold(value: string, told: string): string {
  return `case when to_days(${value}) >= 366 then ${told} end`;
}

const mySql: Calculations = {
  knowsTimeZones: false,
  roundsMeans: true,
  bucket: ({ value }, bucket) =>
    mySqlTold(
      value,
      bucket === 'hour'
        ? `timestamp(date(${value}), maketime(hour(${value}), 0, 0))`
        : `date(${value})${mySqlDays[bucket](value)}`,
    ),
  told: (value, column) => (keptTimeOf(column) === undefined ? value : mySqlTold(value, value)),
  reasonAgainst: () => undefined,
};

const families = [
  [BasePostgreSqlPlatform, postgreSql],
  [BaseMySqlPlatform, mySql],
  [SqlitePlatform, sqlite],
] as const;

function calculationsOf({ platform }: Dialect): Calculations | undefined {
  return families.find(([family]) => platform instanceof family)?.[1];
}

/** True if the database knows time zones by their names. */
export function knowsTimeZones(dialect: Dialect): boolean {
  return calculationsOf(dialect)?.knowsTimeZones === true;
}

/** Gives the member that a database cannot tell of groups, and why; undefined where there is none. */
export function unsaidMember(
  dialect: Dialect,
  { groupings, measures }: GroupParts,
): { readonly name: string; readonly reason: string } | undefined {
  const known = calculationsOf(dialect);
  const bucketed = known === undefined ? groupings.find(({ bucket }) => bucket !== undefined) : undefined;
  if (bucketed !== undefined)
    return { name: bucketed.name, reason: 'this database has no such spans of time' };
  for (const measure of measures) {
    const reason = known?.reasonAgainst(measure);
    if (reason !== undefined) return { name: measure.name, reason };
  }
  return undefined;
}

/** The value by which a record belongs to its group. */
export function groupValue(scope: Scope, { path, bucket }: Grouping): string {
  const value = scope.value(path);
  const kept = keptTimeOf(path.column);
  const { writer } = scope.draft;
  if (bucket === undefined || kept === undefined)
    return calculationsOf(writer.dialect)?.told(value, path.column) ?? value;
  const zone = (): string => writer.parameter(({ timeZone }) => timeZone);
  return calculationsOf(writer.dialect)?.bucket({ value, kept, zone }, bucket) ?? value;
}

/** The calculation over the records of a group. */
export function measuredValue(scope: Scope, { path, calculation }: Measure): string {
  if (path === undefined) return 'count(*)';
  const value = scope.value(path);
  if (calculation === 'count_distinct') return `count(distinct ${value})`;
  const { dialect } = scope.draft.writer;
  const isMeanOfWhole = path.column.type.arithmetic === 'integer' && calculation === 'avg';
  // The sum is exact, so that the mean is rounded once.
  if (isMeanOfWhole && calculationsOf(dialect)?.roundsMeans === true)
    return `${dialect.asDouble(`sum(${value})`)} / count(${value})`;
  if (calculation === 'min' || calculation === 'max')
    return `${calculation}(${hasExtremes(path.column) ? value : textOf(dialect, path.column, value)})`;
  // The sum of numbers of single precision would be one itself.
  const isFloat = path.column.type.arithmetic === 'float' && calculation === 'sum';
  return `${calculation}(${isFloat ? dialect.asDouble(value) : value})`;
}

/** True if PostgreSQL has the least value of a type that is shown as text: of most it has that of their text alone. */
function hasExtremes({ type, property }: Column): boolean {
  const { collation, nativeEnumName } = property;
  if (!type.isText || collation !== undefined || nativeEnumName !== undefined) return true;
  return /^(?:inet|cidr|interval|time|date|money|oid|pg_lsn|(?:small|big)?int|numeric|decimal|real|double|float)/i.test(
    storedType(property),
  );
}
