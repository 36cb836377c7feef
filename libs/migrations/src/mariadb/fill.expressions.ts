import { expressionsOf, refusedFill, type Fills } from '../safety/fills.js';
import { partsOf, tokensOf, type SqlToken } from './sql.tokens.js';

/**
 * The expressions of fills as they are run: each of them ends where its parentheses do. That it is one in SQL the server says,
 * when the plan is tried.
 *
 * @throws MigrationFailure with a line for each that is not
 */
export function fillExpressions(fills: Fills): Promise<ReadonlyMap<string, string>> {
  return expressionsOf(fills, (name, text) => {
    const tokens = tokensOf(text);
    if (!isOne(tokens)) throw refusedFill(name);
    return text.slice(tokens[0]?.start, tokens.at(-1)?.end);
  });
}

function isOne(tokens: readonly SqlToken[]): boolean {
  if (tokens.length === 0 || partsOf(tokens).length > 1) return false;
  let depth = 0;
  for (const { kind, text } of tokens) {
    // The driver would ask for the value of a `?`.
    if (kind === 'open' || (kind === 'mark' && (text === ';' || text === '?'))) return false;
    if (text === '(') depth += 1;
    if (text === ')') depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}
