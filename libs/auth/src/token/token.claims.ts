import { InvalidToken, quote } from './invalid.token.js';
import { own } from './own.js';
import type { JsonObject } from './parsed.token.js';

/** The registered claims of a token that the configuration demands (RFC 7519, 4.1). */
export interface ClaimsRules {
  readonly audience: string | undefined;
  readonly issuer: string | undefined;
  /** Seconds by which the clocks of issuer and service may differ. */
  readonly leeway: number;
  readonly requireExpiration: boolean;
}

/** The time in which a token is good, in milliseconds since 1970, leeway included. */
export interface Validity {
  readonly from: number;
  /** The first moment at which it is not good any more. */
  readonly until: number;
}

/**
 * Judges the registered claims, all but the time of day.
 *
 * @throws InvalidToken
 */
export function validityOf(claims: JsonObject, rules: ClaimsRules): Validity {
  const { audience, issuer, leeway, requireExpiration } = rules;
  const [expires, starts] = [numericDate(claims, 'exp'), numericDate(claims, 'nbf')];
  numericDate(claims, 'iat');
  if (requireExpiration && expires === undefined) throw new InvalidToken('there is no exp');
  if (issuer !== undefined && own(claims, 'iss') !== issuer)
    throw new InvalidToken(`iss ${quote(own(claims, 'iss'))} is not ${quote(issuer)}`);
  if (audience !== undefined && !audiencesOf(own(claims, 'aud')).includes(audience))
    throw new InvalidToken(`aud ${quote(own(claims, 'aud'))} does not contain ${quote(audience)}`);
  return {
    from: starts === undefined ? -Infinity : (starts - leeway) * 1000,
    until: expires === undefined ? Infinity : (expires + leeway) * 1000,
  };
}

/** @throws InvalidToken when the token is not good at this time */
export function checkTime({ from, until }: Validity, now: number): void {
  if (now < from) throw new InvalidToken(`not good before ${dateText(from)}, leeway included`);
  if (now >= until) throw new InvalidToken(`expired at ${dateText(until)}, leeway included`);
}

/** Seconds since 1970. JSON can say 1e999, which is no number in JavaScript, and null, which is no date. */
function numericDate(claims: JsonObject, name: string): number | undefined {
  const value = own(claims, name);
  if (value === undefined || (typeof value === 'number' && Number.isFinite(value))) return value;
  throw new InvalidToken(`${name} ${quote(value)} is not a date`);
}

/** One text or a list of texts; a list that holds anything else is none (RFC 7519, 4.1.3). */
function audiencesOf(aud: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
  return list.every((entry) => typeof entry === 'string') ? list : [];
}

function dateText(time: number): string {
  return Math.abs(time) <= 8.64e15 ? new Date(time).toISOString() : 'the end of time';
}
