import { canonicalMembers } from '../input/canonical.text.js';

/** Claims that differ from one token of a person to the next (RFC 7519, 4.1; OpenID Connect Core, 2). */
const passing: ReadonlySet<string> = new Set(['exp', 'nbf', 'iat', 'jti', 'auth_time', 'nonce', 'at_hash']);

/**
 * Text that tells senders of requests apart, the same for every token of one: issuer and subject. Where there is no
 * subject, everything that is known of the sender, because to take two for one would show one the answer of the other.
 */
export function senderOf(authorizationData: unknown): string {
  if (typeof authorizationData !== 'object' || authorizationData === null)
    return JSON.stringify(authorizationData ?? null);
  const facts = new Map<string, unknown>(Object.entries(authorizationData).filter(isScalar));
  const subject = facts.get('sub');
  if (subject !== undefined) return JSON.stringify([facts.get('iss') ?? null, subject]);
  return canonicalMembers([...facts].filter(([name]) => !passing.has(name)));
}

/** What is no text, number or truth value may be without end. */
function isScalar([, value]: readonly [string, unknown]): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}
