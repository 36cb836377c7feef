import type { EntityMetadata, EntityProperty } from '@mikro-orm/core';
import { isOfLive } from './soft/soft.entity.js';

/**
 * True if the database refuses two records with one value in a property, or two live ones.
 *
 * @param within the properties that have one value in all records that are meant. Default none
 */
export function isUnique(
  meta: EntityMetadata,
  { name, primary, unique }: EntityProperty,
  within: readonly EntityProperty[] = [],
): boolean {
  if (primary === true || (unique !== undefined && unique !== false)) return true;
  return meta.uniques.some(({ properties = [], where }) => {
    const names = new Set<string>([properties].flat());
    for (const fixed of within) if (fixed.name !== name) names.delete(fixed.name);
    return names.size === 1 && names.has(name) && (where === undefined || isOfLive(meta, where));
  });
}
