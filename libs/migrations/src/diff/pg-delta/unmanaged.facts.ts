import type { DependencyEdge, Fact, FactBase, FactKind } from '@supabase/pg-delta';
import type { ComparisonRules } from '../schema.diff.tool.js';
import type { DeltaLibrary } from './delta.library.js';

/**
 * Kinds that a target schema cannot define, or, as extensions, that are only ever added: the database's own ones stay.
 */
const othersKinds: ReadonlySet<FactKind> = new Set<FactKind>([
  'defaultPrivilege',
  'eventTrigger',
  'extension',
  'extensionIntent',
  'fdw',
  'foreignTable',
  'language',
  'membership',
  'publication',
  'publicationRel',
  'publicationSchema',
  'role',
  'securityLabel',
  'server',
  'subscription',
  'userMapping',
]);

/**
 * Gives the target with what the current schema has and the target leaves to others, and without what it says of things
 * that are unmanaged. Both then have it alike, so no plan touches it. Where a plan has to make an object anew, its privileges come back with it.
 */
export function withUnmanaged(
  { encodeId, buildFactBase }: DeltaLibrary,
  current: FactBase,
  target: FactBase,
  rules: ComparisonRules,
): FactBase {
  const isOthers = judgeOf(encodeId, current, target, rules);
  const facts = new Map<string, Fact>();
  for (const fact of target.facts())
    if (!isLeftAlone(fact, rules) && !isOfUnmanaged(fact, target, rules)) facts.set(encodeId(fact.id), fact);
  const isManaged = ({ from }: DependencyEdge): boolean => {
    const fact = target.get(from);
    return fact === undefined || !isOfUnmanaged(fact, target, rules);
  };
  for (const fact of current.facts())
    if (isOthers(fact) && hasParent(fact, facts, encodeId, isOthers, current))
      facts.set(encodeId(fact.id), fact);
  const isOwned = ({ from, kind }: DependencyEdge): boolean => kind === 'owner' && current.has(from);
  const edges = [
    ...target.edges.filter((edge) => !isOwned(edge) && isManaged(edge)),
    ...current.edges.filter((edge) => {
      const from = current.get(edge.from);
      return isOwned(edge) || (from !== undefined && isOthers(from));
    }),
  ];
  return buildFactBase(
    [...facts.values()],
    edges.filter(({ from }) => facts.has(encodeId(from))),
  );
}

/**
 * Gives a schema without what an owner may do with its own objects. That comes by itself, and would be granted once more
 * whenever an object is made anew.
 */
export function withoutOwnPrivileges(
  { buildFactBase }: DeltaLibrary,
  schema: FactBase,
  { role }: ComparisonRules,
): FactBase {
  const facts = schema.facts().filter(({ id, payload }) => {
    if (id.kind !== 'acl' || id.grantee !== role) return true;
    const { privileges, _ownerDefault: byItself = [] } = payload as Readonly<
      Record<string, readonly string[]>
    >;
    return !byItself.every((privilege) => privileges?.includes(privilege));
  });
  return buildFactBase(facts, [...schema.edges]);
}

/** Privileges and comments that come by themselves, or that the target does not speak of. */
function isLeftAlone({ id, parent }: Fact, { managesPrivileges, role }: ComparisonRules): boolean {
  if (parent === undefined) return false;
  if (id.kind === 'comment') return isPublicSchema(parent);
  return id.kind === 'acl' && (!managesPrivileges || id.grantee === role || isPublicSchema(parent));
}

function isPublicSchema(id: Fact['id']): boolean {
  return id.kind === 'schema' && id.name === 'public';
}

function judgeOf(
  encodeId: DeltaLibrary['encodeId'],
  current: FactBase,
  target: FactBase,
  rules: ComparisonRules,
): (fact: Fact) => boolean {
  const known = new Map<string, boolean>();
  const isOthers = (fact: Fact): boolean => {
    const key = encodeId(fact.id);
    const before = known.get(key);
    if (before !== undefined) return before;
    known.set(key, false);
    const verdict = isOthersItself(fact) || isPartOfOthers(fact);
    known.set(key, verdict);
    return verdict;
  };
  const isOthersItself = (fact: Fact): boolean =>
    (othersKinds.has(fact.id.kind) && !target.has(fact.id)) ||
    isUnmanaged(fact, rules) ||
    isLeftAlone(fact, rules);
  const isPartOfOthers = (fact: Fact): boolean => {
    const parent = fact.parent === undefined ? undefined : current.get(fact.parent);
    if (parent !== undefined && isOthers(parent)) return true;
    return current
      .outgoingEdges(fact.id)
      .filter(({ kind }) => kind === 'memberOfExtension')
      .some(({ to }) => {
        const extension = current.get(to);
        return extension !== undefined && isOthers(extension);
      });
  };
  return isOthers;
}

function isUnmanaged({ id, payload }: Fact, { unmanagedSchemas, unmanagedTables }: ComparisonRules): boolean {
  if (id.kind === 'schema') return unmanagedSchemas.has(id.name);
  if ('schema' in id && id.schema !== null && unmanagedSchemas.has(id.schema)) return true;
  if (id.kind === 'table') return unmanagedTables.has(`${id.schema}.${id.name}`);
  if (id.kind !== 'sequence') return false;
  const owner = payload['ownedBy'] as { readonly schema: string; readonly table: string } | null;
  return owner !== null && unmanagedTables.has(`${owner.schema}.${owner.table}`);
}

/** True for what somebody else looks after, and for the parts of it, whatever the schema says of them. */
function isOfUnmanaged(fact: Fact, schema: FactBase, rules: ComparisonRules): boolean {
  let part: Fact | undefined = fact;
  while (part !== undefined && !isUnmanaged(part, rules))
    part = part.parent === undefined ? undefined : schema.get(part.parent);
  return part !== undefined;
}

/** True if the parent is kept, too. A part of an object, such as its comment, goes with the object. */
function hasParent(
  { parent }: Fact,
  facts: ReadonlyMap<string, Fact>,
  encodeId: DeltaLibrary['encodeId'],
  isOthers: (fact: Fact) => boolean,
  current: FactBase,
): boolean {
  if (parent === undefined || facts.has(encodeId(parent))) return true;
  const fact = current.get(parent);
  return fact !== undefined && isOthers(fact);
}
