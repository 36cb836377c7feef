import type { EntityMetadata, EntityName } from '@mikro-orm/core';
import type { AuthorizationRule } from './authorization.js';
import { classOf, entity } from '../model/entity.check.js';
import { boolean, either, listOf, objectWith } from '../options/checks.js';

/** The entities that must have a column: all, none, or all but some. */
export type EveryModel = boolean | { readonly except: readonly EntityName[] };

export const everyModelCheck = either(
  'true, false or { except } with a list of entities',
  boolean,
  objectWith({ except: listOf('entities', entity) }, ['except']),
);

/** A rule about a column, as messages name it. */
interface ColumnRule {
  /** The name of the column as it was given. */
  readonly column: string;
  readonly every: EveryModel | undefined;
  /** The option that says which entities must have it. */
  readonly option: string;
}

/**
 * Gives the reason why a rule about a column stops the start for an entity; undefined where it does not. A column that no
 * entity has is misspelt: everything would be shared.
 */
export function misfitOf(
  rule: Pick<AuthorizationRule, 'concerns'>,
  { column, every, option }: ColumnRule,
  entity: EntityMetadata,
  all: readonly EntityMetadata[],
): string | undefined {
  if (rule.concerns(entity) || isExcepted(every, entity)) return undefined;
  if (!all.some((one) => rule.concerns(one))) return `no entity has the column '${column}'`;
  const isMeant = every === true || typeof every === 'object';
  return isMeant
    ? `${entity.className} has no column '${column}', and is not in ${option}.except`
    : undefined;
}

function isExcepted(every: EveryModel | undefined, { class: meant }: EntityMetadata): boolean {
  if (typeof every !== 'object') return false;
  return every.except.some((one) => classOf(one) === meant);
}
