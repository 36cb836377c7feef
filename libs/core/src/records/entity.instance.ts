import { Utils } from '@mikro-orm/core';

/** True if a value is an entity of MikroORM, whichever it is. */
export function isEntity(value: unknown): value is object {
  return Utils.isEntity<object>(value);
}
