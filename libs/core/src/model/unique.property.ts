import type { EntityMetadata, EntityProperty } from '@mikro-orm/core';

/** True if the database refuses two records with one value in a property. */
export function isUnique({ uniques }: EntityMetadata, { name, primary, unique }: EntityProperty): boolean {
  if (primary === true || (unique !== undefined && unique !== false)) return true;
  return uniques.some(({ properties = [], where }) => {
    const names = [properties].flat();
    return names.length === 1 && names[0] === name && where === undefined;
  });
}
