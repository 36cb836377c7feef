import type { EntityMetadata } from '@mikro-orm/core';
import { narrows, type AuthorizationRule } from '../../access/authorization.js';
import { CombinedAuthorization } from '../../access/combined.authorization.js';
import type { KindContext } from '../../endpoint/kind.context.js';
import { recordRules } from '../../endpoint/options/settings.js';

/**
 * The nearest parent in the path that may have been another's: then its records were, too, and their own changes do not tell
 * when. Undefined where there is none.
 */
export function narrowedParent(
  { settings, database }: KindContext,
  own: EntityMetadata,
): EntityMetadata | undefined {
  const levels = settings.parent?.levelsOf(own) ?? [];
  const rules = recordRules({ ...settings, parent: undefined });
  return levels
    .flatMap(({ relation }) => relation.targetMeta ?? [])
    .find(
      (parent) =>
        database.filtered.isDeclared(parent) || rules.some((rule) => hides(rule, parent, own, true)),
    );
}

/** True if a rule may hide a parent by more than what it says of the record itself. @param isNeeded whether it must hold */
function hides(
  rule: AuthorizationRule,
  parent: EntityMetadata,
  own: EntityMetadata,
  isNeeded: boolean,
): boolean {
  if (rule instanceof CombinedAuthorization) {
    const areNeeded = isNeeded && rule.needed === 'all';
    return rule.rules.some((one) => hides(one, parent, own, areNeeded));
  }
  if (!narrows(rule) || !(parent.root === own.root || rule.concerns(parent))) return false;
  const scope = rule.scopeOf?.(parent);
  if (scope === undefined) return true;
  const kept = isNeeded ? keptBy(rule, own) : [];
  return scope.conditions.some(
    ({ propertyName, isOfSubject = false }) => !isOfSubject && !kept.includes(propertyName),
  );
}

/** The properties of a record by which a rule keeps it among its own, and its parents with it. */
function keptBy(rule: AuthorizationRule, own: EntityMetadata): readonly string[] {
  const { isSticky = false, conditions = [] } = rule.scopeOf?.(own) ?? {};
  return isSticky ? conditions.map(({ propertyName }) => propertyName) : [];
}
