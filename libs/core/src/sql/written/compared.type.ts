import type { EntityProperty } from '@mikro-orm/core';
import { storedType } from '../../metadata/stored.fields.js';

/** Types whose equal values are written the same, or are the same number. */
const plain = /^(?:(?:small|big)?(?:int|serial)|integer|int\d|bool|uuid$|date$|real$|double|float)/;
/** A type by a name that needs no quotes, as MikroORM writes it. */
const named = /^[a-z][a-z0-9_ ]*(?:\(\d+(?:, ?\d+)?\))?(?:\[\])*$/;

/** True if equal values of a property are written the same, whatever refers to them. */
export function isWrittenOneWay(property: EntityProperty): boolean {
  const type = storedType(property);
  return plain.test(type) && !type.endsWith('[]');
}

/**
 * Gives the type that a new value takes, so that it is rounded as the stored one, and the type in which both are
 * compared. It is text, to the last letter, where a collation or `citext` takes other letters for the same, or where the
 * type has no equality.
 */
export function comparedAs(property: EntityProperty): readonly [string | undefined, string] {
  const type = storedType(property);
  if (type === 'json' || type === 'jsonb') return ['jsonb', '::jsonb'];
  if (isWrittenOneWay(property) || !named.test(type)) return [undefined, ''];
  return [type, '::text collate "C"'];
}
