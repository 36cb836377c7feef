import { InvalidToken, quote } from './invalid.token.js';
import { own } from './own.js';
import type { JsonObject } from './parsed.token.js';

/** The result of a claims function: true or nothing accepts, false refuses, a list names claims that must be there. */
export type ClaimsVerdict = boolean | undefined | readonly string[];

/** @throws InvalidToken when a claim is missing; one that is null counts as missing */
export function checkRequired(claims: JsonObject, names: readonly string[]): void {
  for (const name of names)
    if ((own(claims, name) ?? undefined) === undefined)
      throw new InvalidToken(`there is no claim ${quote(name)}`);
}

/**
 * Does what a claims function said; what it may not say refuses.
 *
 * @throws InvalidToken
 */
export function checkVerdict(claims: JsonObject, verdict: unknown): void {
  if (verdict === true || verdict === undefined) return;
  if (verdict === false) throw new InvalidToken('the claims function refused it');
  if (!isNames(verdict))
    throw new InvalidToken(
      'the claims function returned neither a boolean, nor nothing, nor a list of texts',
    );
  checkRequired(claims, verdict);
}

function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((name) => typeof name === 'string');
}
