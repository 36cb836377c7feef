import type { NameTable } from '../wire/name.table.js';
import type { ListColumns } from './list.columns.js';
import type { Paging } from './paging.js';
import type { ListPlan } from './query.plan.js';

/** The part of every plan that the endpoint's configuration adds. */
export type FixedPlan = Pick<ListPlan, 'conditions' | 'groupBy'>;

/** The objects that plans are read with. */
export interface PlanSource {
  /** The endpoint, for error messages. */
  readonly owner: string;
  /** The records in names of schemas, e.g. `City`. */
  readonly subject: string;
  readonly names: NameTable;
  readonly columns: ListColumns;
  readonly paging: Paging;
  readonly fixed: FixedPlan;
  /** True if text in a body is read as Integer, Float, Boolean or Timestamp columns need it. */
  readonly forcesText: boolean;
}
