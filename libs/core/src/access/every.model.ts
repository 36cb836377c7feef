import type { EntityMetadata, EntityName } from '@mikro-orm/core';
import { classOf, entity } from '../model/entity.check.js';
import { boolean, either, listOf, objectWith } from '../options/checks.js';

/** The entities that must have a column: all, none, or all but some. */
export type EveryModel = boolean | { readonly except: readonly EntityName[] };

export const everyModelCheck = either(
  'true, false or { except } with a list of entities',
  boolean,
  objectWith({ except: listOf('entities', entity) }, ['except']),
);

/** True if an entity is one of those that must have the column. */
export function isMeant(every: EveryModel | undefined, { class: meant }: EntityMetadata): boolean {
  if (every === undefined || typeof every === 'boolean') return every === true;
  return !every.except.some((one) => classOf(one) === meant);
}
