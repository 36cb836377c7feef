import { storedFields } from '../../metadata/stored.fields.js';
import { isBinding, type Restriction } from '../../sql/restriction.js';
import type { RowValues } from './filled.values.js';

/**
 * True if a row that is written is certainly within what written records must meet. What a new row does not say the database
 * says, and nobody knows here; what a change does not say stays as it is.
 */
export function isKeptWithin(restriction: Restriction, row: RowValues, isNew: boolean): boolean {
  const sticky = restriction.conditions.filter(({ isSticky }) => isSticky === true);
  const groups = restriction.groups.filter(isBinding);
  if (!isNew && groups.length > 0) return false;
  const isKept = sticky.every(({ property, value }) => {
    // The database makes it of others, or another property is kept in the same column.
    if (property.generated !== undefined) return false;
    const [field] = storedFields(property);
    for (const [written, given] of row)
      if (storedFields(written).includes(field ?? '') && given !== value) return false;
    return row.has(property) || !isNew;
  });
  return isKept && groups.every((group) => group.some((one) => isKeptWithin(one, row, isNew)));
}
