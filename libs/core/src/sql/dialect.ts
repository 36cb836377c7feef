import type { EntityProperty } from '@mikro-orm/core';
import {
  BaseMySqlPlatform,
  BasePostgreSqlPlatform,
  SqlitePlatform,
  type AbstractSqlPlatform,
} from '@mikro-orm/sql';
import type { Column } from '../model/column.js';
import type { DatabaseValue } from '../model/column.type.js';
import type { Direction } from '../query/query.plan.js';
import { arrayLiteral, type Item } from './array.literal.js';

/** Makes one parameter of a list of values, in the form that `serialize` gives it. */
type ListParameter = (serialize: (values: readonly unknown[]) => unknown) => string;

/** Times as the database tells them: those of its processes may differ. */
interface DatabaseClock {
  /** The time of the statement, comparable with instants that are stored. */
  readonly now: string;
  /** The time so many milliseconds later. */
  after(milliseconds: string): string;
}

/** The rules of SQL by which one family of databases differs from others. */
interface DialectRules {
  placeholder(position: number): string;
  asText(expression: string): string;
  /** The exact value in a form that JSON keeps. */
  asCursor(expression: string): string;
  instant(date: Date): unknown;
  readonly backslash: string;
  /** The comparison with a pattern for which capital letters are small ones. */
  readonly likeInAnyCase: string;
  /**
   * Tests if a value is in a list that is one parameter; left out where that cannot be said.
   * @param width of the span of instants that are written alike, in milliseconds; 0 for other values
   */
  among?(expression: string, width: number, parameter: ListParameter): string;
  /** True if a page and its count are one statement, where the count is only made when the page is full. */
  readonly countsWithPage: boolean;
  /** True if a sub-select of a `from` may look at what stands before it. */
  readonly hasLateral: boolean;
  /** The text that keeps a sub-select of `exists` out of the search for an order of joins; empty where there is no such. */
  readonly apart: string;
  /** True if policies of the database can hide rows from roles. */
  readonly hasRowLevelSecurity: boolean;
  /** True if its catalogue is PostgreSQL's. */
  readonly hasCatalogue: boolean;
  /** True if `insert` takes `on conflict`, and writes answer with `returning`. */
  readonly hasUpsert: boolean;
  /** The clock of the database, where answers are kept. */
  readonly clock?: DatabaseClock;
  /** The text that turns a select into a statement that tells its estimated number of rows. */
  readonly explain?: string;
  /** Left out where the drivers bind booleans. */
  boolean?(value: boolean): unknown;
  /** Left out where a formula has the type of its result. */
  computed?(expression: string, columnType: string): string;
  /**
   * Gives a parameter of a select the type that a column would give it; undefined for a type that is not known by a plain
   * name. Left out where parameters need none.
   */
  cast?(placeholder: string, columnType: string): string | undefined;
  /** Left out where drivers and MikroORM keep every integer as it is. */
  readonly roundsIntegers?: true;
}

const standard: DialectRules = {
  placeholder: () => '?',
  asText: (expression) => `cast(${expression} as varchar)`,
  asCursor: (expression) => `cast(${expression} as varchar)`,
  instant: (date) => date,
  backslash: String.raw`'\'`,
  likeInAnyCase: 'like',
  countsWithPage: false,
  hasLateral: false,
  hasRowLevelSecurity: false,
  hasCatalogue: false,
  hasUpsert: false,
  apart: '',
};

/** Types whose values are text, or numbers that are exact in JavaScript, whoever reads them. */
const exactTypes =
  /^(?:text|citext|varchar|char|character(?: varying)?|smallint|int|integer|int[24]|(?:small)?serial)(?:\(\d+\))?$/;

const lastInstant = Date.parse('9999-12-31T23:59:59.999Z');

/** The last instant that was written: the time of a request is written many times. */
let written = { time: Number.NaN, text: '' };

function instantText(date: Date): string {
  const time = date.getTime();
  if (time !== written.time) written = { time, text: date.toISOString() };
  return written.text;
}

/** A type by a name that needs no quotes. */
const plainType = /^[a-z][a-z0-9_ ]*(?:\[\])*$/;

/** The first of the instants that are written alike, in PostgreSQL; other values as they are. */
export function asWritten(expression: string, width: number): string {
  if (width === 0) return expression;
  return `date_trunc('${width >= 1000 ? 'second' : 'milliseconds'}', ${expression})`;
}

const postgreSql: DialectRules = {
  placeholder: (position) => `$${position}`,
  asText: (expression) => `${expression}::text`,
  asCursor: (expression) => `${expression}::text`,
  // The end of the last second lies in the year 10000, which ISO 8601 writes as PostgreSQL does not read it.
  instant: (date) => (date.getTime() > lastInstant ? 'infinity' : instantText(date)),
  backslash: standard.backslash,
  likeInAnyCase: 'ilike',
  among(expression, width, parameter) {
    return `${asWritten(expression, width)} = any(${parameter((values) => arrayLiteral(values as readonly Item[]))})`;
  },
  countsWithPage: true,
  hasLateral: true,
  hasRowLevelSecurity: true,
  hasCatalogue: true,
  hasUpsert: true,
  apart: ' offset 0',
  clock: {
    now: 'statement_timestamp()',
    after: (milliseconds) => `statement_timestamp() + ${milliseconds}::float8 * interval '1 millisecond'`,
  },
  explain: 'explain (format json) ',
  cast: (placeholder, columnType) => {
    // An assignment takes lengths and digits as the column has them, where a cast would cut a text.
    const type = columnType.replace(/\(.*?\)/, '').replace(/serial$/, 'int');
    return plainType.test(type) ? `${placeholder}::${type}` : undefined;
  },
};

const mySql: DialectRules = {
  ...standard,
  asText: (expression) => `cast(${expression} as char)`,
  asCursor: (expression) => `cast(${expression} as char)`,
  instant: (date) => date.toISOString().replace('T', ' ').replace('Z', ''),
  backslash: String.raw`'\\'`,
};

/** Drivers hand integers over as JavaScript numbers, which are exact only to 2^53; the rest comes as it is stored. */
function exactOfSqlite(expression: string): string {
  return `iif(typeof(${expression}) = 'integer', cast(${expression} as text), ${expression})`;
}

/** The days since noon in 4714 BC, as milliseconds since 1970: `unixepoch` has no parts of seconds before 3.42. */
const sqliteNow = `cast(round((julianday('now') - 2440587.5) * 86400000) as integer)`;

const sqlite: DialectRules = {
  ...standard,
  asText: exactOfSqlite,
  asCursor: exactOfSqlite,
  instant: (date) => date.getTime(),
  // better-sqlite3 throws at a boolean, libsql 0.5 even ends the process.
  boolean: Number,
  // An expression without a type is never equal to text, in which exact numbers are bound.
  computed: (expression, columnType) =>
    /^(?:bigint|numeric|decimal)/.test(columnType) ? `cast(${expression} as numeric)` : expression,
  roundsIntegers: true,
  hasUpsert: true,
  clock: { now: sqliteNow, after: (milliseconds) => `${sqliteNow} + ${milliseconds}` },
  among(expression, width, parameter) {
    const list = `json_each(${parameter(JSON.stringify)})`;
    if (width === 0) return `${expression} in (select value from ${list})`;
    return `exists (select 1 from ${list} where ${expression} >= value and ${expression} < value + ${width})`;
  },
};

const families = [
  [BasePostgreSqlPlatform, postgreSql],
  [BaseMySqlPlatform, mySql],
  [SqlitePlatform, sqlite],
] as const satisfies readonly (readonly [abstract new () => AbstractSqlPlatform, DialectRules])[];

/** The SQL of the database behind a MikroORM platform. */
export class Dialect {
  readonly #rules: DialectRules;

  constructor(readonly platform: AbstractSqlPlatform) {
    this.#rules = families.find(([family]) => platform instanceof family)?.[1] ?? standard;
  }

  get backslash(): string {
    return this.#rules.backslash;
  }

  /** The comparison with a pattern for which capital letters are small ones; in SQLite those of ASCII alone. */
  get likeInAnyCase(): string {
    return this.#rules.likeInAnyCase;
  }

  /** True if a page and its count are one statement, where the count is only made when the page is full. */
  get countsWithPage(): boolean {
    return this.#rules.countsWithPage;
  }

  get hasLateral(): boolean {
    return this.#rules.hasLateral;
  }

  /** The text that keeps a sub-select of `exists` out of the search for an order of joins. */
  get apart(): string {
    return this.#rules.apart;
  }

  /** True if a list of values is one parameter, so that its length does not change the statement. */
  get bindsLists(): boolean {
    return this.#rules.among !== undefined;
  }

  /** True if policies of the database can hide rows from roles. */
  get hasRowLevelSecurity(): boolean {
    return this.#rules.hasRowLevelSecurity;
  }

  /** True if its catalogue is PostgreSQL's, which knows the columns of constraints. */
  get hasCatalogue(): boolean {
    return this.#rules.hasCatalogue;
  }

  /** True if `insert` takes `on conflict`, and writes answer with `returning`. */
  get hasUpsert(): boolean {
    return this.#rules.hasUpsert;
  }

  /** The text that turns a select into a statement that tells its estimated number of rows; undefined where there is none. */
  get explain(): string | undefined {
    return this.#rules.explain;
  }

  /** The clock of the database; undefined where answers are not kept. */
  get clock(): DatabaseClock | undefined {
    return this.#rules.clock;
  }

  quote(identifier: string): string {
    return this.platform.quoteIdentifier(identifier);
  }

  placeholder(position: number): string {
    return this.#rules.placeholder(position);
  }

  /** Makes the database hand a value over as text, so that no driver parses it. */
  asText(expression: string): string {
    return this.#rules.asText(expression);
  }

  /** The exact value in a form that JSON keeps, and that compares with the expression when it is bound again. */
  asCursor(expression: string): string {
    return this.#rules.asCursor(expression);
  }

  /** The value of a formula, comparable with bound values of its property's type. */
  computed(expression: string, { columnTypes }: EntityProperty): string {
    return this.#rules.computed?.(expression, columnTypes[0] ?? '') ?? expression;
  }

  /** True if {@link cast} knows the type of a property. */
  canCast(property: EntityProperty): boolean {
    return this.cast('', property) !== undefined;
  }

  /** A parameter of a select with the type that the column of a property would give it; undefined where none is known. */
  cast(placeholder: string, { columnTypes }: EntityProperty): string | undefined {
    if (this.#rules.cast === undefined) return placeholder;
    return this.#rules.cast(placeholder, columnTypes[0] ?? '');
  }

  /** True if an entity may have another integer than the database, because the driver rounded it. */
  rounds(value: unknown, { columnTypes }: EntityProperty): boolean {
    if (this.#rules.roundsIntegers !== true || !/int/i.test(columnTypes[0] ?? '')) return false;
    return !Number.isSafeInteger(Number(value));
  }

  /** True if drivers hand the values of a column over in a form that is as good as {@link asCursor}. */
  readsExactly({ property, conversion }: Pick<Column, 'property' | 'conversion'>): boolean {
    if (conversion !== undefined || this.#rules.roundsIntegers === true) return false;
    return exactTypes.test(property.columnTypes[0] ?? '');
  }

  bind(value: DatabaseValue): unknown {
    if (typeof value === 'boolean') return this.#rules.boolean?.(value) ?? value;
    return value instanceof Date ? this.#rules.instant(value) : value;
  }

  /** {@link DialectRules.among}; undefined where every value must be a parameter of its own. */
  among(expression: string, width: number, parameter: ListParameter): string | undefined {
    return this.#rules.among?.(expression, width, parameter);
  }

  /** Nulls come last ascending and first descending, on every database. */
  order(expression: string, direction: Direction): string {
    if (!this.platform.sortsNullsLowest()) return `${expression} ${direction}`;
    return `${expression} is null ${direction}, ${expression} ${direction}`;
  }
}
