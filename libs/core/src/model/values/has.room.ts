import type { ColumnType } from '../column.type.js';

/** True unless a column has no room for all digits of a value: it would round it to another one, which may be somebody else's. */
export function hasRoom(type: ColumnType, value: unknown): boolean {
  const kept = type.toKept(value);
  return kept === value || type.keyText(type.toDatabase(kept)) === type.keyText(type.toDatabase(value));
}
