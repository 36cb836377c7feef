import type { ColumnPath } from '../model/model.js';
import type { Operator } from '../model/operator.js';

/** One readable column of an answer. */
export interface SelectedColumn {
  readonly kind: 'column';
  /** The key in the record, internal. */
  readonly name: string;
  readonly path: ColumnPath;
}

/** A parent record or an embeddable, shown as a nested object; a parent that is not there is null. */
export interface SelectedParent {
  readonly kind: 'parent';
  readonly name: string;
  /** The parent's key: null means no parent. An embeddable has none, it is always there. */
  readonly presence: ColumnPath | undefined;
  readonly members: Selection;
}

/** What an answer shows, in the order it shows it. */
export type Selection = readonly (SelectedColumn | SelectedParent)[];

/** A condition on a column. `value` is a JSON value its column accepted. */
export interface Condition {
  readonly path: ColumnPath;
  readonly operator: Operator;
  readonly value: unknown;
}

export type Direction = 'asc' | 'desc';

export interface Sort {
  readonly path: ColumnPath;
  readonly direction: Direction;
}

/** A read of several records: immutable data, translated to SQL in `records/`. */
export interface ListPlan {
  readonly conditions: readonly Condition[];
  /** The id column follows as the last tie-breaker, ascending. */
  readonly sorts: readonly Sort[];
  /** How many records at most. */
  readonly limit: number;
  /** How many records to pass over. */
  readonly start: number;
}
