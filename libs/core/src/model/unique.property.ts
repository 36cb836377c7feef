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

/** True if the database refuses two live records with the same values in properties, but not a live one beside deleted ones. */
export function isUniqueAmongLive(meta: EntityMetadata, properties: readonly EntityProperty[]): boolean {
  const names = new Set<string>(properties.map(({ name }) => name));
  const isSame = (all: readonly string[]): boolean =>
    new Set(all).size === names.size && all.every((name) => names.has(name));
  const [only] = properties.length === 1 ? properties : [];
  if (isSame(meta.primaryKeys) || (only?.unique !== undefined && only.unique !== false)) return false;
  const own = uniquesOf(meta).filter(({ properties: all = [] }) => isSame([all].flat()));
  return own.length > 0 && own.every(({ where }) => where !== undefined && isOfLive(meta, where));
}
