import type { EntityProperty } from '@mikro-orm/core';
import {
  BaseMySqlPlatform,
  BasePostgreSqlPlatform,
  SqlitePlatform,
  type AbstractSqlPlatform,
} from '@mikro-orm/sql';
import type { DatabaseValue } from '../model/column.type.js';
import type { Direction } from '../query/query.plan.js';

/** What one family of databases writes in another way than the others. */
interface DialectRules {
  placeholder(position: number): string;
  asText(expression: string): string;
  instant(date: Date): unknown;
  /** Left out where the drivers bind booleans. */
  boolean?(value: boolean): unknown;
  /** Left out where a formula has the type of its result. */
  computed?(expression: string, columnType: string): string;
  /** Left out where drivers and MikroORM keep every integer as it is. */
  readonly roundsIntegers?: true;
}

const positional = { placeholder: () => '?' };

const families = [
  [
    BasePostgreSqlPlatform,
    {
      placeholder: (position) => `$${position}`,
      asText: (expression) => `${expression}::text`,
      // The end of the last second lies in the year 10000, which ISO 8601 writes as PostgreSQL does not read it.
      instant: (date) => (date.getUTCFullYear() > 9999 ? 'infinity' : date.toISOString()),
    },
  ],
  [
    BaseMySqlPlatform,
    {
      ...positional,
      asText: (expression) => `cast(${expression} as char)`,
      instant: (date) => date.toISOString().replace('T', ' ').replace('Z', ''),
    },
  ],
  [
    SqlitePlatform,
    {
      ...positional,
      // Drivers hand integers over as JavaScript numbers, which are exact only to 2^53; the rest comes as it is stored.
      asText: (expression) =>
        `iif(typeof(${expression}) = 'integer', cast(${expression} as text), ${expression})`,
      instant: (date) => date.getTime(),
      // better-sqlite3 throws at a boolean, libsql 0.5 even ends the process.
      boolean: Number,
      // An expression without a type is never equal to text, in which exact numbers are bound.
      computed: (expression, columnType) =>
        /^(?:bigint|numeric|decimal)/.test(columnType) ? `cast(${expression} as numeric)` : expression,
      roundsIntegers: true,
    },
  ],
] as const satisfies readonly (readonly [abstract new () => AbstractSqlPlatform, DialectRules])[];

const standard: DialectRules = {
  ...positional,
  asText: (expression) => `cast(${expression} as varchar)`,
  instant: (date) => date,
};

/** The SQL of the database behind a MikroORM platform. */
export class Dialect {
  readonly #rules: DialectRules;

  constructor(readonly platform: AbstractSqlPlatform) {
    this.#rules = families.find(([family]) => platform instanceof family)?.[1] ?? standard;
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

  /** The value of a formula, comparable with bound values of its property's type. */
  computed(expression: string, { columnTypes }: EntityProperty): string {
    return this.#rules.computed?.(expression, columnTypes[0] ?? '') ?? expression;
  }

  /** Whether an entity may have another integer than the database, because the driver rounded it. */
  rounds(value: unknown, { columnTypes }: EntityProperty): boolean {
    if (this.#rules.roundsIntegers !== true || !/int/i.test(columnTypes[0] ?? '')) return false;
    return !Number.isSafeInteger(Number(value));
  }

  bind(value: DatabaseValue): unknown {
    if (typeof value === 'boolean') return this.#rules.boolean?.(value) ?? value;
    return value instanceof Date ? this.#rules.instant(value) : value;
  }

  /** Nulls come last ascending and first descending, on every database. */
  order(expression: string, direction: Direction): string {
    if (!this.platform.sortsNullsLowest()) return `${expression} ${direction}`;
    return `${expression} is null ${direction}, ${expression} ${direction}`;
  }
}
