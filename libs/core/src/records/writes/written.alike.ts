import type { Column } from '../../model/column.js';
import { canonicalText } from '../../request/canonical.text.js';
import type { Dialect } from '../../sql/dialect.js';
import { comparedAs } from '../../sql/written/compared.type.js';
import type { StoredRecord } from '../record.store.js';

/**
 * True if a value is written like the stored one, and so is no change. An instant may be kept with finer digits; a driver may give a
 * number of single precision with fewer, and the items of a list as text; PostgreSQL keeps no order of names in JSON.
 */
export function isWrittenAlike(
  dialect: Dialect,
  record: StoredRecord,
  { type, property, conversion }: Column,
  value: unknown,
): boolean {
  const stored: unknown = Reflect.get(record, property.name);
  if (value === null || stored === null || stored === undefined) return false;
  const isInstant = stored instanceof Date && type.equalityWidth > 0;
  const isNumber = typeof stored !== 'object' && type.ordering === 'number' && conversion === undefined;
  if (isInstant || isNumber) return type.keyText(stored) === type.keyText(type.toDatabase(value));
  if (conversion !== undefined || (type.storage !== 'json' && type.storage !== 'list')) return false;
  if (dialect.hasCatalogue && comparedAs(property)[0] === 'jsonb')
    return canonicalText(stored) === canonicalText(type.toEntity(value));
  return Array.isArray(stored) && type.toWire(stored) === type.toWire(type.toDatabase(value));
}
