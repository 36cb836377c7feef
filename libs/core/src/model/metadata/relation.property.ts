import { ReferenceKind, type EntityMetadata, type EntityProperty } from '@mikro-orm/core';
import type { Casing } from '../../wire/casing.js';

/** The entity a to-one relation leads to; undefined for other properties, and where its key is not one column. */
export function parentOf(property: EntityProperty): EntityMetadata | undefined {
  const { kind, targetMeta, polymorphic } = property;
  const isToOne = kind === ReferenceKind.MANY_TO_ONE || kind === ReferenceKind.ONE_TO_ONE;
  return isToOne && polymorphic !== true && isByKey(property) ? targetMeta : undefined;
}

/** The entity a to-many relation leads to; undefined for other properties, and where its key is not one column. */
export function childrenOf(property: EntityProperty): EntityMetadata | undefined {
  const isToMany =
    property.kind === ReferenceKind.ONE_TO_MANY || property.kind === ReferenceKind.MANY_TO_MANY;
  return isToMany && isByKey(property) ? property.targetMeta : undefined;
}

/** Whether a relation refers to a key of one column. MikroORM's `targetKey` refers to another column than the key. */
function isByKey({ targetKey, targetMeta, mappedBy }: EntityProperty): boolean {
  const owning = Object.values<EntityProperty>(targetMeta?.properties ?? {}).find(
    ({ name }) => name === mappedBy,
  );
  return targetMeta?.compositePK === false && targetKey === undefined && owning?.targetKey === undefined;
}

/** The entity whose keys a property stores: the owning side of a to-one relation. */
export function ownedParentOf(property: EntityProperty): EntityMetadata | undefined {
  return property.kind === ReferenceKind.MANY_TO_ONE || property.owner ? parentOf(property) : undefined;
}

/** `company` with key `id`: `companyId`, or `company_id` with the internal casing snake_case. */
export function keyColumnName(
  { name, mapToPk }: EntityProperty,
  parent: EntityMetadata,
  casing: Casing,
): string {
  if (mapToPk === true) return name;
  return joined(name, parent.getPrimaryProp().name, casing);
}

/** `tags` with key `id`: `tagIds`, or `tag_ids` with the internal casing snake_case; `cities`: `cityIds`. */
export function keysColumnName({ name }: EntityProperty, children: EntityMetadata, casing: Casing): string {
  const singular = name.endsWith('ies') ? `${name.slice(0, -3)}y` : name.replace(/s$/, '');
  return joined(singular, `${children.getPrimaryProp().name}s`, casing);
}

function joined(name: string, key: string, casing: Casing): string {
  if (casing === 'snake_case') return `${name}_${key}`;
  return `${name}${key.charAt(0).toUpperCase()}${key.slice(1)}`;
}
