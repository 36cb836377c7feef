import type { Fact, FactBase, StableId } from '@supabase/pg-delta';
import type { DeltaLibrary } from './delta.library.js';

type Id = Fact['id'];

/** Gives what a schema has of facts, and what belongs to none: whatever else there is, nothing is known of it. */
export function factsOfSchema(
  { encodeId, buildFactBase }: DeltaLibrary,
  all: FactBase,
  schema: string,
): FactBase {
  const known = new Map<string, boolean>();
  const isIn = (id: Id): boolean => {
    if (id.kind === 'schema') return id.name === schema;
    if ('schema' in id && id.schema !== null) return id.schema === schema;
    return !('target' in id) || isIn(id.target);
  };
  const isKept = (id: Id): boolean => {
    const key = encodeId(id);
    const before = known.get(key);
    if (before !== undefined) return before;
    const fact = all.get(id);
    const kept = fact !== undefined && isIn(id) && (fact.parent === undefined || isKept(fact.parent));
    known.set(key, kept);
    return kept;
  };
  return buildFactBase(
    all.facts().filter(({ id }) => isKept(id)),
    all.edges.filter(({ from, to }) => isKept(from) && (isKept(to) || !all.has(to))),
  );
}

/** Gives a schema without these, their parts and all that depends on them. */
export function withoutFacts(
  { buildFactBase, encodeId }: DeltaLibrary,
  schema: FactBase,
  facts: readonly Fact[],
): FactBase {
  const gone = new Set<string>();
  const open: StableId[] = facts.map(({ id }) => id);
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (gone.has(encodeId(id))) continue;
    gone.add(encodeId(id));
    open.push(...schema.childrenOf(id).map((child) => child.id));
    open.push(...schema.incomingEdges(id).flatMap(({ from, kind }) => (kind === 'depends' ? [from] : [])));
  }
  return buildFactBase(
    schema.facts().filter(({ id }) => !gone.has(encodeId(id))),
    schema.edges.filter(({ from, to }) => !gone.has(encodeId(from)) && !gone.has(encodeId(to))),
  );
}

/**
 * Gives a schema without what it says twice. PostgreSQL 18 has NOT NULL of a domain as a constraint, too, and refuses both in
 * one statement.
 */
export function withoutDoubles(library: DeltaLibrary, schema: FactBase): FactBase {
  const doubles = schema.facts().filter(({ parent, payload }) => {
    return parent?.kind === 'domain' && payload['type'] === 'n' && schema.get(parent)?.payload['notNull'];
  });
  return doubles.length === 0 ? schema : withoutFacts(library, schema, doubles);
}
