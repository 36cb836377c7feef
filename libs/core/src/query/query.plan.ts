import type { ColumnPath, Relation } from '../model/model.js';
import type { Comparison } from '../model/operator.js';

/** A column as a statement reads it. */
export interface ReadPath extends ColumnPath {
  /** True if the database gives its value as text, whatever the type of the column says. */
  readonly asText?: boolean;
  /** The column whose value is read as the first sort ranks by it; left out for most. */
  readonly ranked?: ColumnPath;
}

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

/** Related records, shown as a nested list: one statement reads those of a whole page. */
export interface SelectedList {
  readonly kind: 'list';
  readonly name: string;
  /** The key of the record the list hangs on, from where the selection around it starts. */
  readonly ownerKey: ColumnPath;
  readonly relation: Relation;
  /** The selection of a related record; a single column when the list holds bare values. */
  readonly members: Selection | SelectedColumn;
  readonly sorts: readonly Sort[];
  /** The most records of each owner; 0 for all. */
  readonly limit: number;
}

/** A value that is made of what a statement reads, beside the columns: the version of a record. */
export interface SelectedValue {
  readonly kind: 'value';
  readonly name: string;
  /** Its text is that of no column, so that both can be read of one row. */
  readonly path: ReadPath;
  /** The JSON text of what the database handed over. Never called with null. */
  readonly toWire: (stored: unknown) => string;
  /** True if not all answers of an endpoint have it. Default false. */
  readonly isOptional?: boolean;
}

/** The values that are read of a record, in the order in which an answer shows them. */
export type Selection = readonly (SelectedColumn | SelectedParent | SelectedList | SelectedValue)[];

/** A condition on a column. `value` is a JSON value its column accepted: a list for `in`, null where none is needed. */
export interface Condition {
  readonly path: ColumnPath;
  readonly comparison: Comparison;
  readonly value: unknown;
}

/**
 * Conditions that count as one. `all` and `any` are met where all of the members are, or one of them. `not` is met where
 * they are not, null or no null. `some` and `none` are about related records, whose members are those of their model: one
 * of them meets all, or none does.
 */
export interface ConditionGroup {
  readonly word: 'all' | 'any' | 'not' | 'some' | 'none';
  readonly members: readonly Criterion[];
  /** The relations that lead to the related records, the last to-many, those before it to-one. None for other words. */
  readonly relations: readonly Relation[];
}

/** The condition that records must meet, or a group of conditions. */
export type Criterion = Condition | ConditionGroup;

/** Ascending or descending. */
export type Direction = 'asc' | 'desc';

/** An order by a column that only to-one relations lead to. */
export interface Sort {
  readonly path: ColumnPath;
  readonly direction: Direction;
  /** The value that records are ranked by, of a column whose order is that of a search; left out for most. */
  readonly value?: unknown;
}

/** The sort values of a record as the database writes them, in the order of the sorts, the id last. */
export type CursorValues = readonly (string | number | null)[];

/** The start of a page: after so many records, or after the record with these sort values. */
export type PageStart = { readonly start: number } | { readonly after: CursorValues };

/** The source of `number_results`; `none` leaves it out. */
export type CountMode = 'exact' | 'estimated' | 'none';

/** A read of several records: immutable data, translated to SQL in `sql/`. */
export interface ListPlan {
  /** The path of the request, for cursors. */
  readonly requestPath: string;
  /** All of them must be met. */
  readonly conditions: readonly Criterion[];
  /** The id column follows as the last tie-breaker, ascending. */
  readonly sorts: readonly Sort[];
  /** One record per distinct value of this column, the first in the order of the sorts. */
  readonly groupBy: ColumnPath | undefined;
  readonly limit: number;
  /** True if the limit is the endpoint's own, so that it may stand in the text of a statement. Default false. */
  readonly isOwnLimit?: boolean;
  readonly from: PageStart;
  /** True if the last record's sort values are wanted, for a cursor. */
  readonly readsCursor: boolean;
  readonly count: CountMode;
}

/** The facts that a page has beside its records. */
export interface PageFacts {
  /** Undefined when nobody counted. */
  readonly total: number | undefined;
  readonly hasMore: boolean;
  /** The last record's sort values; undefined when the plan does not want them, or the page is empty. */
  readonly last: CursorValues | undefined;
}
