import type { MigratorOptions } from '@nest-endpoints/migrations';

/** A change of a schema that has records in it. */
export interface SchemaCase {
  readonly change: string;
  readonly before: string;
  /** Records, put in between. */
  readonly records?: string;
  readonly after: string;
  /** A query that answers the same before and after. */
  readonly kept?: string;
  /** A query about the records afterwards, and what it answers. */
  readonly then?: readonly [query: string, rows: readonly unknown[]];
  readonly options?: Partial<MigratorOptions>;
}

/** The table that is there before most changes. */
export const person = 'create table person (id int primary key, name text);';
/** Its records. */
export const people = `insert into person (id, name) select i, 'person ' || i from generate_series(1, 50) i`;
const names = 'select id, name from person order by id';

/** A change of the table `person`, whose records stay. */
export const ofPerson = (change: string, after: string, rest: Partial<SchemaCase> = {}): SchemaCase => ({
  change,
  before: person,
  records: people,
  after,
  kept: names,
  ...rest,
});

/** Something beside the table, whose definition changes from one text to another. */
export const beside = (change: string, before: string, after: string): SchemaCase =>
  ofPerson(change, person + after, { before: person + before });

/** A table with a column of some type. */
export const withType = (type: string, rest = ''): string =>
  `create table t (id int primary key, a ${type}${rest});`;

/** The type of a column with values in it. */
export const retyped = (from: string, to: string, values: string, kept: string): SchemaCase => ({
  change: `a column from ${from} to ${to}`,
  before: withType(from),
  records: `insert into t values ${values}`,
  after: withType(to),
  kept,
});

/** What a change needs that takes something away. */
export const destructive = { allowDestructive: true };
