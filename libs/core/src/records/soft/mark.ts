import type { Column } from '../../model/column.js';
import type { SoftEntity } from '../../model/soft/soft.entity.js';

/** The mark that tells deleted records from live ones, as a request sets it or takes it away. */
export interface Mark {
  /** The values of the record itself. */
  readonly values: ReadonlyMap<Column, unknown>;
  /** The time at which it is deleted; undefined where the mark is taken away. */
  readonly at: Date | undefined;
  /** Gives the sender, as the property of an entity has it: for what is deleted along. */
  readonly byOf: (soft: SoftEntity) => unknown;
}
