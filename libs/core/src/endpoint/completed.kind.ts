import { traitsOf, type CompiledKind } from './compiled.kind.js';
import { unknownOperation } from './description/unknown.operation.js';
import type { Endpoint } from './endpoint.js';
import type { KindContext } from './kind.context.js';

/** A compiled kind of which nothing is left out. */
export type CompletedKind = Required<CompiledKind>;

/** Compiles an endpoint: with the reasons of its access rules first, and a description where its kind gives none. */
export function completedKind(endpoint: Endpoint, context: KindContext): CompletedKind {
  const made = endpoint.compile(context);
  const kind: CompiledKind = typeof made === 'function' ? { handle: made } : made;
  const { handle, rules, describe = () => unknownOperation(endpoint, kind) } = kind;
  const traits = traitsOf(kind);
  const isAlone = traits.reasons.length === 0 && context.settings.parent === undefined;
  const isOneStatement = traits.isOneStatement && isAlone;
  const isWhole = context.root.rowLevelSecurity !== undefined && !isOneStatement;
  const reasons = isWhole ? ['row level security holds in transactions', ...traits.reasons] : traits.reasons;
  const reads = [...traits.reads, ...traits.representations.flatMap((one) => one.reads ?? [])];
  return { ...traits, reads, reasons, isOneStatement, handle, describe, rules };
}
