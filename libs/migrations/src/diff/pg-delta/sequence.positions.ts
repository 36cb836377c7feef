import type { FactBase, Plan, StableId } from '@supabase/pg-delta';
import { quoteIdentifier, quoteLiteral, quoteTable } from '../../database/quoting.js';
import type { SchemaStep } from '../schema.diff.tool.js';

interface NumberedColumn {
  readonly schema: string;
  readonly table: string;
  readonly column: string;
}

/**
 * Writes statements that let sequences go on where the values of their columns end. A sequence that a plan makes or
 * changes for a table with rows would begin anew, and its next value would be a duplicate.
 */
export function sequencePositions({ deltas }: Plan, current: FactBase): readonly SchemaStep[] {
  const columns = new Map<string, NumberedColumn>();
  for (const delta of deltas) {
    const column =
      delta.verb === 'add' ? ofSequence(delta.fact.payload['ownedBy'], delta.fact.id) : ofChange(delta);
    if (column === undefined) continue;
    const { schema, table, column: name } = column;
    if (current.has({ kind: 'column', schema, table, name }))
      columns.set(`${schema}.${table}.${name}`, column);
  }
  return [...columns.values()].map(positioned);
}

function ofSequence(owner: unknown, { kind }: StableId): NumberedColumn | undefined {
  return kind === 'sequence' ? ((owner as NumberedColumn | null) ?? undefined) : undefined;
}

function ofChange(delta: Plan['deltas'][number]): NumberedColumn | undefined {
  if (delta.verb !== 'set' || delta.id.kind !== 'column' || delta.attr !== 'identity' || delta.to === null)
    return undefined;
  const { schema, table, name: column } = delta.id;
  return { schema, table, column };
}

function positioned({ schema, table, column }: NumberedColumn): SchemaStep {
  const name = quoteTable(schema, table);
  const sequence = `pg_catalog.pg_get_serial_sequence(${quoteLiteral(name)}, ${quoteLiteral(column)})`;
  const highest = `pg_catalog.max(${quoteIdentifier(column)})`;
  const last = `pg_catalog.pg_sequence_last_value(${sequence}::pg_catalog.regclass)`;
  const sql = `SELECT pg_catalog.setval(${sequence}, GREATEST(${highest}, ${last})) FROM ${name} HAVING ${highest} > 0`;
  return { sql, addsLabel: false, looksAt: [{ schema, table }] };
}
