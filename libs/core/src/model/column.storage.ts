import { nullOperators, textOperators, type Operator } from './operator.js';

/** The abilities of a database with values that are kept in one way. */
interface StoredAs {
  /** The search operators that it can answer. */
  readonly operators: readonly Operator[];
  /** True if the database can sort by them. */
  readonly isSortable: boolean;
  /** True if the database must give them as text, because a driver would parse them. */
  readonly readAsText: boolean;
}

/** The ways to keep the values of a column, each with what a column type is by default that is kept so. */
export const columnStorages = {
  /** One value that the database compares and sorts. */
  scalar: { operators: textOperators, isSortable: true, readAsText: false },
  /** Any JSON value, as JSON. */
  json: { operators: nullOperators, isSortable: false, readAsText: true },
  /** A JSON array, in a list of the database or as JSON. */
  list: { operators: nullOperators, isSortable: false, readAsText: true },
  /** The keys of the records that a many-to-many relation leads to, in a table of their own. */
  links: { operators: [], isSortable: false, readAsText: false },
} as const satisfies Record<string, StoredAs>;

/** The way in which the values of a column are kept. */
export type ColumnStorage = keyof typeof columnStorages;
