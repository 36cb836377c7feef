import type { Column } from '../../model/column.js';
import type { ColumnPath } from '../../model/model.js';
import type { Comparison } from '../../model/operator.js';
import type { Criterion, Direction } from '../query.plan.js';
import type { Bucket, Calculation } from './calculation.js';

/** A value that groups of records have, under the name by which clients ask for it. */
export interface GroupMember {
  /** The name on the wire, e.g. `starts_on.month`. */
  readonly name: string;
  /** The text that tells it from others: names of the configuration. */
  readonly text: string;
  /** The keys that lead to it in an answer, internal, its own last. */
  readonly keys: readonly string[];
  /** The column that its values would have. */
  readonly result: Column;
}

/** A column that records are grouped by, or the spans of time that its values lie in. */
export interface Grouping extends GroupMember {
  readonly path: ColumnPath;
  readonly bucket: Bucket | undefined;
}

/** A calculation over the records of a group; without a column it counts them. */
export interface Measure extends GroupMember {
  readonly path: ColumnPath | undefined;
  readonly calculation: Calculation;
}

/** A condition on what is measured. `value` is a JSON value that the column of the results accepted. */
export interface MeasureCondition {
  readonly measure: Measure;
  readonly comparison: Comparison;
  readonly value: unknown;
}

/** An order of groups. */
export interface GroupSort {
  readonly member: GroupMember;
  readonly direction: Direction;
}

/** The values that groups are made of and show. Those of two plans are equal where the same are asked for. */
export interface GroupParts {
  /** In the order in which they are declared, as the measures. None makes one group of all records. */
  readonly groupings: readonly Grouping[];
  readonly measures: readonly Measure[];
}

/** A read of groups of records: immutable data, translated to SQL in `sql/groups/`. */
export interface GroupPlan extends GroupParts {
  readonly conditions: readonly Criterion[];
  /** Conditions on measures, which need not be shown. */
  readonly having: readonly MeasureCondition[];
  /** All groupings are among them, so that the order is total. */
  readonly sorts: readonly GroupSort[];
  /** Groups of fewer records are left out. */
  readonly minimum: number;
  readonly limit: number;
  readonly start: number;
  readonly counts: boolean;
  /** The time zone of the buckets. */
  readonly timeZone: string;
  /** The beginning of the values of the only grouping, a text, in any case; undefined for all. */
  readonly prefix?: string | undefined;
}
