import type { DependencyEdge, Fact, FactBase, Plan, StableId } from '@supabase/pg-delta';
import { isComputed, isIdentity } from './computed.columns.js';
import type { DeltaLibrary } from './delta.library.js';
import { keysOfAnotherType, retypedColumns } from './retyped.columns.js';

/** The stages between the current schema and the target. */
export interface ReadersApart {
  /** The current schema without what keeps a column from getting another type. */
  readonly before: FactBase;
  /** The target without it. */
  readonly after: FactBase;
}

/** The kinds of objects that hold values of their own: these are never made anew. */
const holders: ReadonlySet<StableId['kind']> = new Set<StableId['kind']>([
  'column',
  'sequence',
  'table',
  'typeAttribute',
]);

/**
 * Sets apart what PostgreSQL lets no column change its type under, and what the tool puts in a wrong place: computed columns,
 * triggers and functions that read the column, foreign keys whose columns change one by one, and its default where that needs
 * what is new; each with all that depends on it. An identity comes after NOT NULL, which it needs. Undefined where there is none of
 * it, or where values would be lost.
 */
export function readersApart(
  library: DeltaLibrary,
  plan: Plan,
  current: FactBase,
  target: FactBase,
): ReadersApart | undefined {
  const { encodeId } = library;
  const columns = retypedColumns(library, plan, current, target);
  const defaults = columns.flatMap((id) => defaultsOfNew(id, current, target));
  const also = [...defaults, ...keysOfAnotherType(library, plan, columns, current, target)];
  const gone = readersIn(library, current, columns, also);
  const added = readersIn(library, target, columns, also);
  const identities = new Set(newIdentities(current, target).map((id) => encodeId(id)));
  if (gone.size + added.size + identities.size === 0) return undefined;
  const isKept = (id: StableId): boolean => {
    const fact = current.get(id);
    return fact !== undefined && holders.has(id.kind) && !isComputed(fact);
  };
  if ([...gone.values(), ...added.values()].some(isKept)) return undefined;
  return {
    before: without(library, current, gone),
    after: without(library, target, added, (fact) =>
      identities.has(encodeId(fact.id)) ? { ...fact, payload: { ...fact.payload, identity: null } } : fact,
    ),
  };
}

/** The default of a column that needs a type or a function which is not there yet. */
function defaultsOfNew(column: StableId, current: FactBase, target: FactBase): readonly StableId[] {
  return target.childrenOf(column).flatMap(({ id }) => {
    const needsNew = target.outgoingEdges(id).some(({ to }) => !current.has(to));
    return id.kind === 'default' && needsNew ? [id] : [];
  });
}

/** Columns that become an identity and NOT NULL at once. */
function newIdentities(current: FactBase, target: FactBase): readonly StableId[] {
  return target.facts().flatMap((fact) => {
    const before = isIdentity(fact) ? current.get(fact.id) : undefined;
    return before?.payload['notNull'] === false && !isIdentity(before) ? [fact.id] : [];
  });
}

function readersIn(
  { encodeId }: DeltaLibrary,
  schema: FactBase,
  columns: readonly StableId[],
  also: readonly StableId[],
): ReadonlyMap<string, StableId> {
  const found = new Map<string, StableId>();
  const dependents = (id: StableId): readonly StableId[] =>
    schema.incomingEdges(id).flatMap(({ from, kind }) => (kind === 'depends' ? [from] : []));
  const open = [
    ...columns.flatMap((id) => dependents(id).filter((reader) => holdsType(schema.get(reader)))),
    ...columns.filter((id) => isComputed(schema.get(id))),
    ...also.filter((id) => schema.has(id)),
  ];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (found.has(encodeId(id))) continue;
    found.set(encodeId(id), id);
    open.push(...schema.childrenOf(id).map((child) => child.id), ...dependents(id));
  }
  return found;
}

/** True for what keeps the type of a column that it reads; views, indexes and the like the tool makes anew by itself. */
function holdsType(fact: Fact | undefined): boolean {
  if (fact === undefined) return false;
  const { kind } = fact.id;
  return kind === 'function' || kind === 'procedure' || kind === 'trigger' || isComputed(fact);
}

function without(
  { buildFactBase, encodeId }: DeltaLibrary,
  schema: FactBase,
  gone: ReadonlyMap<string, StableId>,
  changed: (fact: Fact) => Fact = (fact) => fact,
): FactBase {
  const isThere = ({ from, to }: DependencyEdge): boolean =>
    !gone.has(encodeId(from)) && !gone.has(encodeId(to));
  const facts = schema.facts().filter(({ id }) => !gone.has(encodeId(id)));
  return buildFactBase(facts.map(changed), schema.edges.filter(isThere));
}
