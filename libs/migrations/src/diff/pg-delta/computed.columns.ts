import type { Fact } from '@supabase/pg-delta';

/** True for a column whose values the database computes from others of its row. */
export function isComputed(fact: Fact | undefined): boolean {
  return fact?.id.kind === 'column' && (fact.payload['generatedExpr'] ?? null) !== null;
}

/** True for a column whose values the database counts. */
export function isIdentity(fact: Fact | undefined): boolean {
  return fact?.id.kind === 'column' && (fact.payload['identity'] ?? null) !== null;
}
