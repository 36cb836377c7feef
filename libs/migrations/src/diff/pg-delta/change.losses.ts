import type { Action, FactBase, Plan, StableId } from '@supabase/pg-delta';
import type { RetypedColumn } from '../schema.diff.tool.js';
import { holdsLabels, typeOfDomain } from './cast.columns.js';
import { isComputed } from './computed.columns.js';
import { objectName } from './object.name.js';

/** Lists what a plan would remove together with its contents. */
export function lossesOf({ actions, deltas }: Plan, current: FactBase, target: FactBase): readonly string[] {
  const labels = deltas.flatMap((delta) =>
    delta.verb === 'set' && delta.id.kind === 'type' && delta.attr === 'values'
      ? lostLabels(delta.id, delta.from, delta.to)
      : [],
  );
  const changesLabels = deltas.some((delta) => delta.verb === 'set' && delta.attr === 'values');
  const losses = actions.flatMap((action) => lossesOfAction(action, current, target, changesLabels));
  const sequences = actions.flatMap(({ destroys }) =>
    destroys.filter((id) => isSequenceOfItsOwn(id, current)).map(objectName),
  );
  return [...new Set([...labels, ...losses, ...sequences])];
}

function lossesOfAction(
  action: Action,
  current: FactBase,
  target: FactBase,
  changesLabels: boolean,
): readonly string[] {
  if (action.dataLoss !== 'destructive') return [];
  const contents = action.destroys.filter(({ kind }) => holders.has(kind));
  const tables = new Set(contents.flatMap((id) => (id.kind === 'table' ? [`${id.schema}.${id.name}`] : [])));
  const lost = contents
    .filter((id) => id.kind !== 'column' || !tables.has(`${id.schema}.${id.table}`))
    .filter((id) => !isDerived(id, current) || becomesTable(id, target));
  if (lost.length > 0) return lost.map(objectName);
  // A column of an enum whose labels change is said to be in danger; which labels go is known better.
  const isHarmless = contents.length > 0 || (changesLabels && action.destroys.length === 0);
  return isHarmless ? [] : [`what this statement removes: ${action.sql}`];
}

/** The kinds of objects that hold values of their own. */
const holders: ReadonlySet<StableId['kind']> = new Set<StableId['kind']>([
  'table',
  'column',
  'typeAttribute',
  'materializedView',
]);

/** True if the contents can be computed again from what stays. */
function isDerived(id: StableId, current: FactBase): boolean {
  return id.kind === 'materializedView' || isComputed(current.get(id));
}

/** True if what was computed is a table in the target: nothing computes its contents any more. */
function becomesTable(id: StableId, target: FactBase): boolean {
  return id.kind === 'materializedView' && target.has({ ...id, kind: 'table' });
}

/**
 * Its position is lost; that of a column's sequence is worth what the column holds. The sequence of an identity is a part of its
 * column and nothing by itself.
 */
function isSequenceOfItsOwn(id: StableId, current: FactBase): boolean {
  if (id.kind !== 'sequence') return false;
  const sequence = current.get(id);
  return sequence !== undefined && (sequence.payload['ownedBy'] ?? null) === null;
}

function lostLabels(id: StableId, from: unknown, to: unknown): readonly string[] {
  const kept = new Set(to as readonly string[] | null);
  return ((from ?? []) as readonly string[])
    .filter((label) => !kept.has(label))
    .map((label) => `label '${label}' of ${objectName(id)}`);
}

/**
 * Columns that are there before and after, with another type. An enum is left out: a value that is no label stops the
 * migration, and a label loses nothing.
 */
export function retypedColumnsOf(
  { actions, deltas }: Plan,
  current: FactBase,
  target: FactBase,
): readonly RetypedColumn[] {
  const destroyed = new Set(actions.flatMap(({ destroys }) => destroys.map(objectName)));
  return deltas.flatMap((delta) => {
    if (delta.verb !== 'set' || delta.id.kind !== 'column' || delta.attr !== 'type') return [];
    const { schema, table, name: column } = delta.id;
    if (destroyed.has(objectName(delta.id)) || isDerived(delta.id, current) || holdsLabels(delta.id, target))
      return [];
    const heldBy = typeOfDomain(delta.id, target);
    const types = { from: delta.from as string, to: delta.to as string };
    return [{ schema, table, column, ...types, ...(heldBy !== undefined && { heldBy }) }];
  });
}
