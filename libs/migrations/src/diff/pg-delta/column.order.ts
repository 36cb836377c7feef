import type { DependencyEdge, Fact, FactBase, StableId } from '@supabase/pg-delta';
import type { DeltaLibrary } from './delta.library.js';

/** The kinds of objects that a column may need before its table is made. */
const neededKinds: ReadonlySet<StableId['kind']> = new Set<StableId['kind']>([
  'collation',
  'domain',
  'extension',
  'function',
  'type',
]);

/**
 * Makes a new table of the target depend on what its columns depend on, too. Otherwise the tool makes the table early and
 * adds such columns at its end, in another order than written.
 */
export function inColumnOrder(library: DeltaLibrary, current: FactBase, target: FactBase): FactBase {
  const edges: DependencyEdge[] = [];
  for (const table of target.facts()) {
    if (table.id.kind !== 'table' || current.has(table.id)) continue;
    for (const needed of neededBy(table, target))
      if (!reaches(library, target, needed, table.id))
        edges.push({ from: table.id, to: needed, kind: 'depends' });
  }
  return edges.length === 0 ? target : library.buildFactBase(target.facts(), [...target.edges, ...edges]);
}

function neededBy(table: Fact, target: FactBase): readonly StableId[] {
  const columns = target.childrenOf(table.id).filter(({ id }) => id.kind === 'column');
  return columns
    .flatMap((column) => [column, ...target.childrenOf(column.id)])
    .flatMap(({ id }) => target.outgoingEdges(id))
    .filter(({ kind, to }) => kind === 'depends' && neededKinds.has(to.kind))
    .map(({ to }) => to);
}

/** True if one object needs another, directly or not. Then it cannot come before it. */
function reaches({ encodeId }: DeltaLibrary, target: FactBase, from: StableId, to: StableId): boolean {
  const goal = encodeId(to);
  const seen = new Set<string>();
  const open = [from];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const key = encodeId(id);
    if (key === goal) return true;
    if (seen.has(key)) continue;
    seen.add(key);
    const fact = target.get(id);
    if (fact?.parent !== undefined && fact.parent.kind !== 'schema') open.push(fact.parent);
    open.push(...target.childrenOf(id).map((child) => child.id));
    open.push(
      ...target
        .outgoingEdges(id)
        .map((edge) => edge.to)
        .filter(({ kind }) => kind !== 'schema'),
    );
  }
  return false;
}
