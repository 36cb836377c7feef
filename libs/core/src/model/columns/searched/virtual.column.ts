import { ColumnType } from '../../column.type.js';
import type { Operator } from '../../operator.js';
import type { SearchSql, VirtualExpression } from './search.sql.js';

/**
 * A column that clients search and sort by, and that nobody reads or writes: an expression over other columns of the
 * record. `defineColumns` gives it its name.
 */
export abstract class VirtualColumn extends ColumnType {
  abstract override readonly virtual: VirtualExpression;
  abstract override readonly search: SearchSql;

  /** Sorted by beside a condition on it alone, because its order is that of the condition's value. */
  override readonly isSortable = false;

  abstract override readonly operators: readonly Operator[];

  /** @throws TypeError always: nobody reads it */
  toWire(): string {
    throw new TypeError(`A ${this.name} column has no value`);
  }
}
