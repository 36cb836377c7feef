import type { Comparison } from '../model/operator.js';
import { searchesIn } from './like.pattern.js';
import type { Condition } from './query.plan.js';

/** The conditions and the wildcards that a search may have where nothing is said. */
export const usualLimits = { conditions: 100, wildcards: 200 } as const;

/** The `%` of the patterns, which cost the more the more there are; an operator for parts of texts has its own. */
export function wildcardsIn(conditions: readonly Pick<Condition, 'comparison' | 'value'>[]): number {
  let wildcards = 0;
  for (const { comparison, value } of conditions)
    if (comparison === 'like') wildcards += searchesIn(String(value));
    else wildcards += wildcardsOf.get(comparison) ?? 0;
  return wildcards;
}

const wildcardsOf: ReadonlyMap<Comparison, number> = new Map([
  ['contains', 2],
  ['starts with', 1],
  ['ends with', 1],
]);
