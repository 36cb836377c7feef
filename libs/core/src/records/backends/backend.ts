import type { Comparison } from '../../model/operator.js';
import type { Direction } from '../../query/query.plan.js';

/** A record of a backend: values by internal column names, parents as nested objects; dates as `Date` or ISO text. */
export type BackendRecord = Readonly<Record<string, unknown>>;

/** A condition: an internal column name, relation paths included, and a JSON value its column accepted. */
export interface BackendCondition {
  readonly columnName: string;
  readonly operator: Comparison;
  /** A list for `in`, null where the operator needs none. */
  readonly value: unknown;
}

/** A sort of a list: an internal column name, relation paths included. */
export interface BackendSort {
  readonly columnName: string;
  readonly direction: Direction;
}

/** A page to read: all conditions must be met. */
export interface BackendQuery {
  readonly conditions: readonly BackendCondition[];
  /** The id last, so that the order is total. Nulls come last ascending and first descending. */
  readonly sorts: readonly BackendSort[];
  readonly limit: number;
  readonly start: number;
}

/**
 * The place of a model's records, when they are not in MikroORM's database: a remote API, a file, a map in memory. Named
 * in `EndpointsModule.forRoot({ backends: [{ modelClass: Weather, backend: new WeatherBackend() }] })`. The entity still
 * says which columns there are (decisions: Backends).
 *
 * An error that a method throws becomes a 500; throw {@link NotFound}, {@link Conflict} or another refusal to answer with
 * it.
 */
export abstract class Backend {
  /**
   * True if it can filter by this column with this operator; a search that asks for more is a 400. Default: `=` on own
   * columns.
   */
  canFilter(columnName: string, operator: Comparison): boolean {
    return operator === '=' && !columnName.includes('.');
  }

  /** True if it can sort by this column; a list that asks for more is a 400. Default: by own columns. */
  canSort(columnName: string): boolean {
    return !columnName.includes('.');
  }

  /** The first record that meets the conditions; undefined when there is none. */
  abstract find(conditions: readonly BackendCondition[]): Promise<BackendRecord | undefined>;

  /** The records of a page, in order. Asked for one more than is shown, which tells whether there are more. */
  abstract page(query: BackendQuery): Promise<readonly BackendRecord[]>;

  /** Counts the records that meet the conditions. */
  abstract count(conditions: readonly BackendCondition[]): Promise<number>;

  /** The new record, its id included. */
  abstract create(values: BackendRecord): Promise<BackendRecord>;

  /** Changes a record that {@link find} has found. @param changes the columns to change */
  abstract update(id: unknown, changes: BackendRecord): Promise<void>;

  /** Deletes a record that {@link find} has found. */
  abstract delete(id: unknown): Promise<void>;
}
