import { ReferenceKind, type EntityMetadata, type EntityProperty } from '@mikro-orm/core';
import type { Casing } from '../wire/casing.js';
import { keyPropertyOf } from './keys/key.property.js';
import { unkeyedReason } from './unserved.relation.js';

/** The entity a to-one relation leads to; undefined for other properties, and where its key is not one column. */
export function parentOf(property: EntityProperty): EntityMetadata | undefined {
  const { kind, targetMeta } = property;
  const isToOne = kind === ReferenceKind.MANY_TO_ONE || kind === ReferenceKind.ONE_TO_ONE;
  return isToOne && unkeyedReason(property) === undefined ? targetMeta : undefined;
}

/** The entity a to-many relation leads to; undefined for other properties, and where its key is not one column. */
export function childrenOf(property: EntityProperty): EntityMetadata | undefined {
  const { kind, targetMeta } = property;
  const isToMany = kind === ReferenceKind.ONE_TO_MANY || kind === ReferenceKind.MANY_TO_MANY;
  return isToMany && unkeyedReason(property) === undefined ? targetMeta : undefined;
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
  return joined(name, keyPropertyOf(parent).name, casing);
}

/** `tags` with key `id`: `tagIds`, or `tag_ids` with the internal casing snake_case; `cities`: `cityIds`. */
export function keysColumnName({ name }: EntityProperty, children: EntityMetadata, casing: Casing): string {
  return joined(singularOf(name), `${keyPropertyOf(children).name}s`, casing);
}

function singularOf(name: string): string {
  return name.endsWith('ies') ? `${name.slice(0, -3)}y` : name.replace(/s$/, '');
}

function joined(name: string, key: string, casing: Casing): string {
  if (casing === 'snake_case') return `${name}_${key}`;
  return `${name}${key.charAt(0).toUpperCase()}${key.slice(1)}`;
}

/** The names under which somebody may look for the columns of a relation: its own, and those of its keys. */
export function* namesOf(property: EntityProperty, casing: Casing): Generator<string> {
  const { name, targetMeta } = property;
  yield name;
  for (const key of targetMeta?.primaryKeys ?? []) {
    yield joined(name, key, casing);
    yield joined(singularOf(name), `${key}s`, casing);
  }
}
