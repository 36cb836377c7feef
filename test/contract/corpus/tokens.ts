import { algorithms } from './algorithms.js';
import { audiences, dates, issuers, payloads, requiredClaims, verdicts } from './claims.js';
import { headers, kids } from './headers.js';
import type { CorpusKeys } from './keys.js';
import { shapes } from './shapes.js';
import { workbench, type Labelled } from './workbench.js';

const chapters = [
  algorithms,
  dates,
  audiences,
  issuers,
  requiredClaims,
  verdicts,
  payloads,
  kids,
  headers,
  shapes,
];

/**
 * Tokens of every sort, each with who accepts it.
 *
 * @param now in seconds
 * @param attacker an address that nobody must ask
 */
export const labelledTokens = async (
  keys: CorpusKeys,
  now: number,
  attacker: string,
): Promise<readonly Labelled[]> => {
  const bench = workbench(keys, now, attacker);
  for (const chapter of chapters) await chapter(bench);
  return bench.tokens;
};
