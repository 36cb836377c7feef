import type { Column } from '../../model/column.js';
import type { StoredRecord } from '../record.store.js';

/**
 * True if a value is written like the stored one, and so is no change. An instant may be kept with finer digits; a driver
 * may give the items of a list as text.
 */
export function isWrittenAlike(
  record: StoredRecord,
  { type, property, conversion }: Column,
  value: unknown,
): boolean {
  if (value === null) return false;
  const stored: unknown = Reflect.get(record, property.name);
  const isInstant = stored instanceof Date && type.equalityWidth > 0;
  const isList = Array.isArray(stored) && conversion === undefined;
  return (isInstant || isList) && type.toWire(stored) === type.toWire(type.toDatabase(value));
}
