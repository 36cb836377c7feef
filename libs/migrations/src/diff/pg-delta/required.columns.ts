import type { Fact, FactBase, Plan } from '@supabase/pg-delta';
import type { RequiredColumn } from '../schema.diff.tool.js';
import { isComputed, isIdentity } from './computed.columns.js';
import { objectName } from './object.name.js';

/**
 * Columns of existing tables that a plan makes NOT NULL: those that it adds without a value of their own (a default, an
 * identity, an expression), and those that were nullable.
 */
export function requiredColumnsOf(
  { actions, deltas }: Plan,
  current: FactBase,
  target: FactBase,
): readonly RequiredColumn[] {
  const made = new Set(actions.flatMap(({ produces }) => produces.map(objectName)));
  const changed = new Set(
    deltas.flatMap((delta) =>
      delta.verb === 'set' && delta.attr === 'notNull' ? [objectName(delta.id)] : [],
    ),
  );
  return target.facts().flatMap((fact): readonly RequiredColumn[] => {
    const { id, parent, payload } = fact;
    if (id.kind !== 'column' || payload['notNull'] !== true || parent?.kind !== 'table') return [];
    if (!current.has(parent) || made.has(objectName(parent))) return [];
    const isNew = made.has(objectName(id));
    if (isNew ? hasValueOfItsOwn(fact, target) : !changed.has(objectName(id))) return [];
    return [{ schema: id.schema, table: id.table, column: id.name, isNew }];
  });
}

/** True if the database itself gives rows that are there a value when the column is added. */
function hasValueOfItsOwn(column: Fact, target: FactBase): boolean {
  const { id } = column;
  if (isIdentity(column) || isComputed(column)) return true;
  if (target.childrenOf(id).some((child) => child.id.kind === 'default')) return true;
  const domain = target.outgoingEdges(id).find(({ to }) => to.kind === 'domain')?.to;
  return domain !== undefined && (target.get(domain)?.payload['default'] ?? null) !== null;
}
