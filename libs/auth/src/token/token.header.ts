import { isAlgorithm, type Algorithm } from './algorithm.table.js';
import { InvalidToken, quote } from './invalid.token.js';
import { own } from './own.js';
import type { JsonObject } from './parsed.token.js';

/** The parts of a token's header that tell of the key that signed it. */
export interface TokenHeader {
  readonly alg: Algorithm;
  readonly kid: string;
}

/**
 * The rules of the header parameters. All others are ignored, `jku`, `x5u`, `jwk` and `x5c` among them: a token does not
 * bring its own key (RFC 8725, 3.10).
 */
const rules: readonly (readonly [name: string, isAllowed: (value: unknown) => boolean])[] = [
  ['alg', isAlgorithm],
  ['kid', (value) => typeof value === 'string' && value !== ''],
  // No extension is understood here, so a token that demands one is refused (RFC 7515, 4.1.11) …
  ['crit', (value) => value === undefined],
  // … and so is an unencoded payload, which a JWT never has (RFC 7797, 7).
  ['b64', (value) => value === undefined || value === true],
];

/**
 * @param allowed the algorithms of the configuration; empty allows all
 * @throws InvalidToken
 */
export function tokenHeader(header: JsonObject, allowed: readonly Algorithm[]): TokenHeader {
  for (const [name, isAllowed] of rules) {
    const value = own(header, name);
    if (!isAllowed(value)) throw new InvalidToken(`the header says ${name} ${quote(value)}`);
  }
  const { alg, kid } = header as unknown as TokenHeader;
  if (allowed.length > 0 && !allowed.includes(alg))
    throw new InvalidToken(`alg ${alg} is not among ${allowed.join(', ')}`);
  return { alg, kid };
}
