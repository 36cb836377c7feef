import type { DependencyEdge, Fact, FactBase, StableId } from '@supabase/pg-delta';
import type { RequiredColumn } from '../schema.diff.tool.js';
import { isComputed } from './computed.columns.js';
import type { DeltaLibrary } from './delta.library.js';

/**
 * The target as it can be while columns have no values yet: these are nullable, keys that nulls break and what needs such a
 * key are not there, and the columns that their tables lose still are.
 */
export function relaxedSchema(
  library: DeltaLibrary,
  current: FactBase,
  target: FactBase,
  columns: readonly RequiredColumn[],
): FactBase {
  const { encodeId, buildFactBase } = library;
  const required = new Set(
    columns.map(({ schema, table, column }) => encodeId({ kind: 'column', schema, table, name: column })),
  );
  const relaxed = new Set([...required, ...generatedBeside(library, current, target, columns)]);
  const impossible = keysOver(library, current, target, required);
  const facts = new Map<string, Fact>();
  for (const fact of target.facts()) {
    const key = encodeId(fact.id);
    if (impossible.has(key)) continue;
    facts.set(key, relaxed.has(key) ? { ...fact, payload: { ...fact.payload, notNull: false } } : fact);
  }
  const kept = columnsToRead(library, current, columns).filter(
    ({ id }) =>
      !facts.has(encodeId(id)) && current.outgoingEdges(id).every(({ to }) => facts.has(encodeId(to))),
  );
  const edges = kept.flatMap(({ id }) => current.outgoingEdges(id));
  for (const fact of kept) facts.set(encodeId(fact.id), fact);
  const isThere = ({ from, to, kind }: DependencyEdge): boolean =>
    facts.has(encodeId(from)) && (kind === 'owner' || facts.has(encodeId(to)));
  return buildFactBase([...facts.values()], [...target.edges, ...edges].filter(isThere));
}

/** Columns that may be computed from them, and become NOT NULL as well. */
function generatedBeside(
  { encodeId }: DeltaLibrary,
  current: FactBase,
  target: FactBase,
  columns: readonly RequiredColumn[],
): readonly string[] {
  return columns
    .flatMap(({ schema, table }) => target.childrenOf({ kind: 'table', schema, name: table }))
    .filter(isComputed)
    .filter(({ id }) => current.get(id)?.payload['notNull'] !== true)
    .map(({ id }) => encodeId(id));
}

/**
 * Keys over columns in which nulls cannot be, and all that depends on them: foreign keys to them, views that group by
 * them. A key that is there already has no such nulls, unless it becomes a primary key.
 */
function keysOver(
  { encodeId }: DeltaLibrary,
  current: FactBase,
  target: FactBase,
  columns: ReadonlySet<string>,
): ReadonlySet<string> {
  const found = new Set<string>();
  const open: StableId[] = target.facts().flatMap(({ id, payload: { type, def } }) => {
    const isPrimary = id.kind === 'constraint' && type === 'p';
    const isNew = (id.kind === 'constraint' || id.kind === 'index') && !current.has(id);
    const isKey = isPrimary || (isNew && typeof def === 'string' && def.includes(' NULLS NOT DISTINCT'));
    return isKey && target.outgoingEdges(id).some(({ to }) => columns.has(encodeId(to))) ? [id] : [];
  });
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (found.has(encodeId(id))) continue;
    found.add(encodeId(id));
    open.push(...target.childrenOf(id).map((child) => child.id));
    open.push(...target.incomingEdges(id).flatMap(({ from, kind }) => (kind === 'depends' ? [from] : [])));
  }
  return found;
}

/** The columns with values of their own that the tables have now. */
function columnsToRead(
  { encodeId }: DeltaLibrary,
  current: FactBase,
  columns: readonly RequiredColumn[],
): readonly Fact[] {
  const tables = new Map(
    columns.map(({ schema, table }): [string, StableId] => {
      const id: StableId = { kind: 'table', schema, name: table };
      return [encodeId(id), id];
    }),
  );
  return [...tables.values()]
    .flatMap((id) => current.childrenOf(id))
    .filter((fact) => fact.id.kind === 'column' && !isComputed(fact));
}
