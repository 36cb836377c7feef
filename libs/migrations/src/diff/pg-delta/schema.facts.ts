import type { Fact, FactBase } from '@supabase/pg-delta';
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
