interface KeyKind {
  /** The key type that the algorithm needs (RFC 7518, 6.1). */
  readonly kty: 'RSA' | 'EC' | 'OKP';
  /** The curve, where a key type has several. */
  readonly crv?: string;
}

/**
 * The signature algorithms that are accepted (RFC 7518, 3.1; RFC 8037; RFC 9864 for `Ed25519`), each with the only keys
 * it works with. HMAC and `none` are not here: with them, whoever can read the key set could sign.
 */
const algorithms = {
  RS256: { kty: 'RSA' },
  RS384: { kty: 'RSA' },
  RS512: { kty: 'RSA' },
  PS256: { kty: 'RSA' },
  PS384: { kty: 'RSA' },
  PS512: { kty: 'RSA' },
  ES256: { kty: 'EC', crv: 'P-256' },
  ES384: { kty: 'EC', crv: 'P-384' },
  ES512: { kty: 'EC', crv: 'P-521' },
  EdDSA: { kty: 'OKP', crv: 'Ed25519' },
  Ed25519: { kty: 'OKP', crv: 'Ed25519' },
} as const satisfies Record<string, KeyKind>;

/** The name of an accepted signature algorithm, as in a token's `alg`. */
export type Algorithm = keyof typeof algorithms;

export const algorithmNames = Object.keys(algorithms) as readonly Algorithm[];

export function isAlgorithm(name: unknown): name is Algorithm {
  return typeof name === 'string' && Object.hasOwn(algorithms, name);
}

/** The algorithms that a key of this type and curve works with. */
export function algorithmsOf(kty: unknown, crv: unknown): readonly Algorithm[] {
  return algorithmNames.filter((name) => {
    const kind: KeyKind = algorithms[name];
    return kind.kty === kty && (kind.crv === undefined || kind.crv === crv);
  });
}
