import type { NameTable } from '../wire/name.table.js';
import type { ListColumns } from './list.columns.js';
import type { Paging } from './paging.js';
import type { ListPlan } from './query.plan.js';

/** What the endpoint's configuration adds to every plan. */
export type FixedPlan = Pick<ListPlan, 'conditions' | 'groupBy'>;

/** What plans are read with. */
export interface PlanSource {
  /** The endpoint, for error messages. */
  readonly owner: string;
  readonly names: NameTable;
  readonly columns: ListColumns;
  readonly paging: Paging;
  readonly fixed: FixedPlan;
  /** Whether text in a body is read as Integer, Float, Boolean or Timestamp columns need it. */
  readonly forcesText: boolean;
}
