import type { EntityMetadata, EntityProperty } from '@mikro-orm/core';
import { isOfLive } from './soft/soft.entity.js';
import { uniquesOf } from './soft/unset.mark.js';

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
  if (unique !== undefined && unique !== false) return true;
  const isAlone = (all: readonly string[]): boolean => {
    const names = new Set(all);
    for (const fixed of within) if (fixed.name !== name) names.delete(fixed.name);
    return names.size === 1 && names.has(name);
  };
  if (primary === true && isAlone(meta.primaryKeys)) return true;
  return uniquesOf(meta).some(({ properties = [], where }) => {
    return isAlone([properties].flat()) && (where === undefined || isOfLive(meta, where));
  });
}
