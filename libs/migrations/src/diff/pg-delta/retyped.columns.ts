import type { FactBase, Plan, StableId } from '@supabase/pg-delta';
import type { DeltaLibrary } from './delta.library.js';

/**
 * Columns that get another type: those that keep their values under it, and all of an enum that the tool makes anew because it
 * loses labels or has them in another order.
 */
export function retypedColumns(
  { encodeId }: DeltaLibrary,
  { actions, deltas }: Plan,
  current: FactBase,
  target: FactBase,
): readonly StableId[] {
  const destroyed = new Set(actions.flatMap(({ destroys }) => destroys.map((id) => encodeId(id))));
  const found = deltas.flatMap((delta) => {
    if (delta.verb !== 'set') return [];
    if (delta.id.kind === 'column' && delta.attr === 'type')
      return destroyed.has(encodeId(delta.id)) ? [] : [delta.id];
    const isMadeAnew = delta.id.kind === 'type' && delta.attr === 'values' && !isLonger(delta.from, delta.to);
    return isMadeAnew ? columnsOf(delta.id, current).filter((id) => target.has(id)) : [];
  });
  return [...new Map(found.map((id) => [encodeId(id), id])).values()];
}

/** True if labels are there in the same order as before, between new ones: these are added to the enum that is there. */
function isLonger(from: unknown, to: unknown): boolean {
  const labels = [...((from ?? []) as readonly string[])];
  for (const label of (to ?? []) as readonly string[]) if (label === labels[0]) labels.shift();
  return labels.length === 0;
}

function columnsOf(type: StableId, schema: FactBase): readonly StableId[] {
  return schema.incomingEdges(type).flatMap(({ from }) => (from.kind === 'column' ? [from] : []));
}

/**
 * Foreign keys of which both sides get another type. One statement changes one column, and a key between two types that have no
 * operator for both is refused.
 */
export function keysOfAnotherType(
  { encodeId }: DeltaLibrary,
  { deltas }: Plan,
  columns: readonly StableId[],
  current: FactBase,
  target: FactBase,
): readonly StableId[] {
  const alike = new Set(
    deltas.flatMap((delta) =>
      delta.verb === 'set' && delta.attr === 'type' && areAlike(delta.from, delta.to)
        ? [encodeId(delta.id)]
        : [],
    ),
  );
  const others = new Set(columns.map((id) => encodeId(id)).filter((id) => !alike.has(id)));
  return [...current.facts(), ...target.facts()].flatMap(({ id, payload }) => {
    if (id.kind !== 'constraint' || payload['type'] !== 'f') return [];
    const schema = current.has(id) ? current : target;
    const read = new Set(schema.outgoingEdges(id).map(({ to }) => encodeId(to)));
    return [...read].filter((column) => others.has(column)).length > 1 ? [id] : [];
  });
}

/** True for types with the same operators, such as those of other lengths: a key over them stays, and need not be checked again. */
function areAlike(from: unknown, to: unknown): boolean {
  return familyOf(from) === familyOf(to);
}

function familyOf(type: unknown): string {
  const name = String(type).replace(/\(.*\)/, '');
  return name === 'character varying' ? 'text' : name;
}
