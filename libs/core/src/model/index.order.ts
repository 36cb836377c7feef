import type { EntityMetadata, EntityProperty } from '@mikro-orm/core';

/** The properties of which it is known what some records have in them. */
export interface KnownProperties {
  /** One value in all of them. */
  readonly fixed: readonly EntityProperty[];
  /** None in any of them. */
  readonly empty: readonly EntityProperty[];
}

/**
 * True if an index of the entity begins with the fixed properties, in whatever order, and goes on with another one: whatever
 * the values are, it has their records in the order of that one. An index of some records alone counts where it is those
 * without a value in properties that are empty anyway.
 */
export function isOrderedByIndex(
  { indexes, uniques, root }: EntityMetadata,
  { fixed, empty }: KnownProperties,
  next: EntityProperty,
): boolean {
  const first = new Set(fixed.map(({ name }) => name));
  const without = new Set<string>(empty.map(({ name }) => name));
  return [...indexes, ...uniques, ...root.indexes].some(({ properties = [], expression, where = {} }) => {
    const names: readonly string[] = [properties].flat();
    const isLed = names.length > first.size && names.slice(0, first.size).every((name) => first.has(name));
    return isLed && names[first.size] === next.name && expression === undefined && isOfEmpty(where, without);
  });
}

/** True if a condition of an index keeps those without a value in some properties, and nothing else. */
function isOfEmpty(where: unknown, without: ReadonlySet<string>): boolean {
  if (typeof where !== 'object' || where === null) return false;
  const conditions: [string, unknown][] = Object.entries(where);
  return conditions.every(([name, value]) => value === null && without.has(name));
}
