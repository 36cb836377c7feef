import type { Fact, FactBase, StableId } from '@supabase/pg-delta';
import { quoteIdentifier, quoteTable } from '../../database/quoting.js';
import type { SchemaStep } from '../schema.diff.tool.js';
import { isComputed } from './computed.columns.js';
import type { DeltaLibrary } from './delta.library.js';

/**
 * Gives the current schema as it is once columns that are computed, and plain ones in the target, have kept their values, and
 * the steps that lead there. The tool itself would drop such a column and add it again, without its values.
 */
export function withPlainColumns(
  { buildFactBase, encodeId }: DeltaLibrary,
  current: FactBase,
  target: FactBase,
): { readonly plain: FactBase; readonly steps: readonly SchemaStep[] } {
  const becomePlain = (fact: Fact): boolean =>
    isComputed(fact) && target.get(fact.id) !== undefined && !isComputed(target.get(fact.id));
  const facts = current.facts().filter(becomePlain);
  if (facts.length === 0) return { plain: current, steps: [] };
  const keys = new Set(facts.map(({ id }) => encodeId(id)));
  const plain = buildFactBase(
    current
      .facts()
      .map((fact) =>
        keys.has(encodeId(fact.id)) ? { ...fact, payload: { ...fact.payload, generatedExpr: null } } : fact,
      ),
    [...current.edges],
  );
  return { plain, steps: facts.flatMap(({ id }) => stepsOf(id)) };
}

function stepsOf(id: StableId): readonly SchemaStep[] {
  if (id.kind !== 'column') return [];
  const table = quoteTable(id.schema, id.table);
  const sql = `ALTER TABLE ${table} ALTER COLUMN ${quoteIdentifier(id.name)} DROP EXPRESSION`;
  return [{ sql, addsLabel: false }];
}
