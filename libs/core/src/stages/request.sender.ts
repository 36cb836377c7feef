import { identityText } from './identity.text.js';

/** Claims that differ from one token of a person to the next (RFC 7519, 4.1; OpenID Connect Core, 2). */
const passing: ReadonlySet<string> = new Set(['exp', 'nbf', 'iat', 'jti', 'auth_time', 'nonce', 'at_hash']);

const nothing: ReadonlySet<string> = new Set();

/**
 * Text that tells senders of requests apart, the same for every token of one: issuer and subject. Where there is no
 * subject, everything that is known of the sender, because to take two for one would show one the answer of the other.
 *
 * @throws TypeError when senders cannot be told apart by what is known of them
 */
export function senderOf(authorizationData: unknown): string {
  const { sub, iss } = (authorizationData ?? {}) as { readonly sub?: unknown; readonly iss?: unknown };
  const text = isScalar(sub)
    ? identityText([iss ?? null, sub], nothing)
    : identityText(authorizationData ?? null, passing);
  if (text !== undefined) return text;
  throw new TypeError(
    "Senders of requests with an Idempotency-Key cannot be told apart: give their authorization data a `sub`, a text that is each one's own",
  );
}

function isScalar(value: unknown): boolean {
  return ['string', 'number', 'bigint', 'boolean'].includes(typeof value);
}
