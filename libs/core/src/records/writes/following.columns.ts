import type { Column } from '../../model/column.js';
import type { ColumnValues } from '../record.store.js';

const nothing: ColumnValues = new Map();

/**
 * The columns whose values only follow a change of their record, such as who made it: by themselves they are no change. Made
 * once for those that are written.
 */
export class FollowingColumns {
  /** True if the database is asked about their values before they are written. */
  readonly areAsked: boolean;
  /** False where an endpoint has none, so that nothing needs to be parted. */
  readonly areThere: boolean;

  constructor(columns: Iterable<Column>) {
    const following = [...columns].filter(isFollowing);
    this.areThere = following.length > 0;
    this.areAsked = following.some(({ validators }) => validators.some(({ needs }) => needs === 'records'));
  }

  /** The values of an Update that may be a change. */
  without(values: ColumnValues): ColumnValues {
    return this.areThere ? new Map([...values].filter(([column]) => !isFollowing(column))) : values;
  }

  /** The values of an Update that follow a change. */
  among(values: ColumnValues): ColumnValues {
    return this.areThere ? new Map([...values].filter(([column]) => isFollowing(column))) : nothing;
  }
}

function isFollowing({ type }: Column): boolean {
  return type.isSetOnUpdate;
}
