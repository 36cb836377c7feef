import type { KindContext } from '../../../endpoint/kind.context.js';
import type { Column } from '../../../model/column.js';
import type { ConflictColumns } from './conflict.columns.js';

/**
 * The columns that a record gets which is there already. What tells the record, or who made it, stays.
 */
export function changingOf(
  context: KindContext,
  columns: readonly Column[],
  conflict: ConflictColumns,
  model: Parameters<KindContext['ownColumns']>[0],
): ReadonlySet<Column> {
  const own = context.ownColumns(model).map(({ column }) => column.property);
  const isChanging = (column: Column): boolean => {
    if (conflict.columns.includes(column) || own.includes(column.property)) return false;
    return column.type.fromRequest === undefined || column.type.isSetOnUpdate;
  };
  return new Set(columns.filter(isChanging));
}
