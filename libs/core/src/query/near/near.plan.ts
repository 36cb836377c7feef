import type { ColumnPath } from '../../model/model.js';
import type { VectorColumn } from '../../model/columns/searched/vector.column.js';
import type { ListPlan } from '../query.plan.js';

/** The most records that are searched near to something, and the most of one page. */
export const farthest = { records: 1000, limit: 100 } as const;

/** A search for the records near to a vector, or to a text that a vector is made of. */
export interface Near {
  readonly path: ColumnPath;
  readonly type: VectorColumn;
  readonly vector: readonly number[] | undefined;
  readonly text: string | undefined;
  /** The longest distance; undefined for any. */
  readonly maximum: number | undefined;
}

/** A plan with what it is to be near to, where that is asked for. */
export interface SearchPlan extends ListPlan {
  readonly near?: Near;
}

/** Gives the plan of the nearest records. Those without a vector are near to nothing. */
export function nearest(plan: ListPlan, { path, maximum }: Near, vector: readonly number[]): ListPlan {
  const within = { path, comparison: 'within', value: { vector, maximum } } as const;
  return {
    ...plan,
    conditions: [
      ...plan.conditions,
      { path, comparison: 'is not null', value: null },
      ...(maximum === undefined ? [] : [within]),
    ],
    sorts: [{ path, direction: 'asc', value: vector }],
    readsCursor: false,
    count: 'none',
  };
}
