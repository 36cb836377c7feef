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
  [SqlitePlatform, { ...positional, asText: (expression) => expression, instant: (date) => date.getTime() }],
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

  bind(value: DatabaseValue): unknown {
    return value instanceof Date ? this.#rules.instant(value) : value;
  }

  /** Nulls come last ascending and first descending, on every database. */
  order(expression: string, direction: Direction): string {
    if (!this.platform.sortsNullsLowest()) return `${expression} ${direction}`;
    return `${expression} is null ${direction}, ${expression} ${direction}`;
  }
}
