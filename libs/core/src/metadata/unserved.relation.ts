import {
  ReferenceKind,
  type EntityMetadata,
  type EntityProperty,
  type MetadataStorage,
} from '@mikro-orm/core';
import { isShared } from './stored.fields.js';

/** The reason why no column or relation can be made of a relation property, in words; undefined where one can. */
export function unkeyedReason(property: EntityProperty): string | undefined {
  const { targetMeta, polymorphic } = property;
  if (targetMeta === undefined) return undefined;
  const { className } = targetMeta;
  const owning = owningSide(property);
  if (polymorphic === true || owning?.polymorphic === true || Array.isArray(property.target))
    return 'it is polymorphic';
  if (targetMeta.compositePK && !sharesColumns(property, owning))
    return `${className} has a composite key: share all of its columns but the last, as joinColumns('tenant_id', 'project_id') does`;
  if (targetMeta.virtual === true || targetMeta.inheritanceType === 'tpt')
    return `${className} is not stored in one table`;
  const targetKey = property.targetKey ?? owning?.targetKey;
  return targetKey === undefined ? undefined : `it refers to '${targetKey}' instead of the key`;
}

/**
 * Gives the reason why related records cannot be shown, listed or searched, although the key of the relation is known. To
 * leave out what the entity says of them would show others than MikroORM does.
 *
 * @param pivot the entity between the two sides of a many-to-many relation
 */
export function unshownReason(
  { filters }: EntityProperty,
  pivot: EntityMetadata | undefined,
): string | undefined {
  if (filters !== undefined) return 'it has filters of its own';
  const narrowing = Object.values(pivot?.filters ?? {}).some((filter) => filter.default === true);
  return narrowing ? `its table ${pivot?.className ?? ''} has filters` : undefined;
}

/**
 * The entity of the rows between the two sides of a many-to-many relation. Undefined where MikroORM made it up: it calls the
 * relations of such an entity by the side that they lead to, and no rule can be about it.
 */
export function betweenOf(
  metadata: MetadataStorage,
  { kind, pivotEntity }: EntityProperty,
): EntityMetadata | undefined {
  const pivot = kind === ReferenceKind.MANY_TO_MANY ? metadata.find(pivotEntity) : undefined;
  return pivot?.relations.every(({ name }) => /_(?:owner|inverse)$/.test(name)) === true ? undefined : pivot;
}

/** True if MikroORM made a property up: the inverse side of a many-to-many relation that was declared without one. */
export function isMadeUp({ kind, hydrate, persist, mappedBy }: EntityProperty): boolean {
  const isInverse = kind === ReferenceKind.MANY_TO_MANY && (mappedBy as string | undefined) !== undefined;
  return isInverse && hydrate === false && persist === false;
}

/** True if a relation has one column of its own, and those before it are columns of other properties, too. */
function sharesColumns(property: EntityProperty, owning: EntityProperty | undefined): boolean {
  if (property.kind === ReferenceKind.MANY_TO_MANY) {
    const [own, theirs] = [property.joinColumns, property.inverseJoinColumns];
    return theirs.length > 1 && theirs.slice(0, -1).every((column) => own.includes(column));
  }
  return isShared(property.owner ? property : (owning ?? property));
}

/** The property of the related entity by which an inverse side is mapped. */
export function owningSide({ targetMeta, mappedBy }: EntityProperty): EntityProperty | undefined {
  return Object.values<EntityProperty>(targetMeta?.properties ?? {}).find(({ name }) => name === mappedBy);
}
