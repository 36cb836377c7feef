// Verified tokens for what is written by hand: a signature is checked once, the time at every request.
import { createPublicKey, verify } from 'node:crypto';

/** As many as `Jwks` remembers. */
const mostTokens = 10_000;

const json = (part) => JSON.parse(Buffer.from(part, 'base64url').toString());

const isNow = (exp) => exp * 1000 > Date.now();

/** A function that answers the tenant of an `Authorization` header, or `undefined` where it has no good token. */
export function rememberedTokens({ audience = 'bench', issuer = 'https://issuer.example' } = {}) {
  const keys = new Map(
    JSON.parse(process.env.BENCH_KEYS).keys.map((key) => [key.kid, createPublicKey({ key, format: 'jwk' })]),
  );
  const known = new Map();

  function verified(authorization) {
    const [head, claims, signature] = authorization.slice('Bearer '.length).split('.');
    const { alg, kid } = json(head);
    const signed = Buffer.from(`${head}.${claims}`);
    const isSigned =
      alg === 'RS256' && verify('sha256', signed, keys.get(kid), Buffer.from(signature, 'base64url'));
    const { aud, iss, exp, tenant } = json(claims);
    const isGood = isSigned && aud === audience && iss === issuer && isNow(exp);
    return isGood && typeof tenant === 'string' ? { exp, tenant } : undefined;
  }

  function remember(authorization) {
    let found;
    try {
      found = verified(authorization);
    } catch {
      return undefined; // No token at all, or one of an unknown key.
    }
    if (found === undefined) return undefined;
    if (known.size >= mostTokens) known.delete(known.keys().next().value);
    known.set(authorization, found);
    return found;
  }

  return (authorization = '') => {
    const found = known.get(authorization) ?? remember(authorization);
    return found !== undefined && isNow(found.exp) ? found.tenant : undefined;
  };
}
