import type { EntityProperty } from '@mikro-orm/core';
import { storedFields } from '../../metadata/stored.fields.js';
import type { Restriction } from '../../sql/restriction.js';
import type { RowValues } from './filled.values.js';

/**
 * True if a row that is written is certainly within what written records must meet. What a new row does not say the database
 * says, and nobody knows here; what a change does not say stays as it is.
 */
export function isKeptWithin(restriction: Restriction, row: RowValues, isNew: boolean): boolean {
  const { conditions, groups } = restriction.sticky;
  if (!isNew && groups.length > 0) return false;
  for (const { property, value } of conditions) {
    // The database makes it of others.
    if (property.generated !== undefined) return false;
    const [field = ''] = storedFields(property);
    // Another property may be kept in the same column.
    for (const [written, given] of row) if (given !== value && isStoredIn(written, field)) return false;
    if (isNew && !row.has(property)) return false;
  }
  return groups.every((group) => group.some((one) => isKeptWithin(one, row, isNew)));
}

function isStoredIn(property: EntityProperty, field: string): boolean {
  return property.fieldNames.includes(field) && storedFields(property).includes(field);
}
