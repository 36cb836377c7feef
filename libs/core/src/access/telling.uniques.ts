import type { EntityMetadata, EntityProperty } from '@mikro-orm/core';

/** A unique column or index without a column by which records are kept apart: it tells of values that others have. */
export interface TellingUnique {
  readonly meta: EntityMetadata;
  /** The name of the index, where it has one. */
  readonly name: string | undefined;
  /** The properties that are unique together. */
  readonly properties: readonly string[];
  /** The property that is missing. */
  readonly missing: string;
}

/**
 * Finds the unique columns and indexes of an entity that lack a property by which its records are kept apart. Primary keys are
 * none: they are no values that people choose. Nor are those with the key of a record that is kept apart itself: who may not see it
 * is told so first.
 *
 * @param isApart whether the records of another entity are kept apart in the same way
 */
export function tellingUniques(
  meta: EntityMetadata,
  apart: readonly EntityProperty[],
  isApart: (entity: EntityMetadata) => boolean,
): readonly TellingUnique[] {
  const [missing] = apart;
  if (missing === undefined) return [];
  const columns = meta.props
    .filter(({ primary, unique }) => primary !== true && unique !== undefined && unique !== false)
    .map(({ name, unique }) => ({ name: nameOf(unique), properties: [name] }));
  const indexes = meta.uniques.map(({ name, properties = [] }) => ({
    name,
    properties: [properties].flat().map(String),
  }));
  const leadsApart = (name: string): boolean => {
    const target = meta.relations.find((relation) => relation.name === name)?.targetMeta;
    return target !== undefined && isApart(target);
  };
  return [...columns, ...indexes]
    .filter(({ properties }) => properties.length > 0 && !properties.some(leadsApart))
    .filter(({ properties }) => !apart.some(({ name }) => properties.includes(name)))
    .map((one) => ({ ...one, meta, missing: missing.name }));
}

function nameOf(unique: unknown): string | undefined {
  return typeof unique === 'string' ? unique : undefined;
}
