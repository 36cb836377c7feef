import { ReferenceKind, type EntityProperty } from '@mikro-orm/core';
import type { Casing } from '../wire/casing.js';
import { childrenOf, keyColumnName, keysColumnName, ownedParentOf } from './relation.property.js';

/** The name of the column that a property is; undefined for properties that are not stored in one column. */
export function columnNameOf(property: EntityProperty, casing: Casing): string | undefined {
  const parent = ownedParentOf(property);
  if (parent !== undefined) return keyColumnName(property, parent, casing);
  const children = childrenOf(property);
  if (children !== undefined && property.kind === ReferenceKind.MANY_TO_MANY)
    return keysColumnName(property, children, casing);
  if (property.persist === false && property.formula === undefined) return undefined;
  if (property.kind === ReferenceKind.EMBEDDED)
    return property.object === true || property.array === true ? property.name : undefined;
  if (property.kind !== ReferenceKind.SCALAR || property.object === true) return undefined;
  return property.embedded?.join('.') ?? property.name;
}
