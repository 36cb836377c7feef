import type { ColumnPath, Relation } from '../model/model.js';
import type { Condition, Criterion } from './query.plan.js';

/** A use of relations: that of a condition's path, or of a group about related records. */
interface RelationUse {
  readonly path: Pick<ColumnPath, 'relations'>;
}

/** True if it is a group of conditions. */
export function isGroup<T extends object>(
  criterion: T,
): criterion is Extract<T, { readonly members: unknown }> {
  return 'members' in criterion;
}

/** The conditions themselves, in the order in which a statement takes their values. */
export function leavesOf(criteria: readonly Criterion[]): readonly Condition[] {
  if (!criteria.some(isGroup)) return criteria as readonly Condition[];
  return criteria.flatMap((one) => (isGroup(one) ? leavesOf(one.members) : one));
}

/** The values of the conditions, in the order in which a statement takes them. */
export function criteriaValues(criteria: readonly Criterion[]): readonly unknown[] {
  return leavesOf(criteria).map(({ value }) => value);
}

/** All uses of relations, within groups, too. */
export function relationUses(criteria: readonly Criterion[]): readonly RelationUse[] {
  if (!criteria.some(isGroup)) return criteria as readonly Condition[];
  return criteria.flatMap((one): readonly RelationUse[] => {
    if (!isGroup(one)) return [one];
    const { relations, members } = one;
    return [...(relations.length === 0 ? [] : [{ path: { relations } }]), ...relationUses(members)];
  });
}

/**
 * Orders criteria, so that the same ones are one statement, in whatever order a client has sent them. What is first is
 * decided by names of the configuration and operators alone.
 */
export function inOneOrder(criteria: readonly Criterion[]): readonly Criterion[] {
  if (criteria.length < 2 && !criteria.some(isGroup)) return criteria;
  const words = new Map<Criterion, string>();
  const ordered = criteria.map((one) => (isGroup(one) ? { ...one, members: inOneOrder(one.members) } : one));
  for (const one of ordered) words.set(one, wordOf(one));
  return ordered.toSorted((one, other) => compared(words.get(one), words.get(other)));
}

/** The text of the relations of a group, `company.parts`; empty where there are none. */
export function relationText(relations: readonly Relation[]): string {
  return relations.map(({ name }) => name).join('.');
}

function wordOf(criterion: Criterion): string {
  if (!isGroup(criterion)) return `${criterion.path.text} ${criterion.comparison}`;
  const { word, relations, members } = criterion;
  return `(${word} ${relationText(relations)} ${members.map(wordOf).join('\n')})`;
}

function compared(one = '', other = ''): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
