import type { Delta, Fact, FactBase, StableId } from '@supabase/pg-delta';
import type { DeltaLibrary } from './delta.library.js';

/**
 * The objects of the current schema that a change touches, whole: a column stands for its table, and a table for the
 * sequences of its columns.
 */
export function changedObjects(
  { encodeId }: DeltaLibrary,
  current: FactBase,
  deltas: readonly Delta[],
): ReadonlySet<string> {
  const changed = new Set<string>();
  const include = (fact: Fact): void => {
    changed.add(encodeId(fact.id));
    current.childrenOf(fact.id).forEach(include);
  };
  for (const delta of deltas) {
    const subject = subjectOf(delta);
    const object = subject === undefined ? undefined : objectOf(current, subject);
    if (object !== undefined && object.id.kind !== 'schema') include(object);
  }
  for (const fact of current.facts())
    if (fact.id.kind === 'sequence' && changed.has(ownerOf(fact, encodeId))) include(fact);
  return changed;
}

/** Finds the existing object that a change is about. Something new is about the object that it is a part of. */
function subjectOf(delta: Delta): StableId | undefined {
  if (delta.verb === 'add') return delta.fact.parent;
  if ('fact' in delta) return delta.fact.id;
  return 'edge' in delta ? delta.edge.from : delta.id;
}

/** The nearest thing around it that stands in a schema by itself. */
function objectOf(current: FactBase, id: StableId): Fact | undefined {
  let fact = current.get(id);
  while (fact?.parent !== undefined && fact.parent.kind !== 'schema') fact = current.get(fact.parent);
  return fact;
}

function ownerOf({ payload }: Fact, encodeId: DeltaLibrary['encodeId']): string {
  const owner = payload['ownedBy'] as { readonly schema: string; readonly table: string } | null;
  return owner === null ? '' : encodeId({ kind: 'table', schema: owner.schema, name: owner.table });
}
