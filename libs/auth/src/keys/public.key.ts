import { importJWK, type CryptoKey, type JWK } from 'jose';
import { algorithmsOf, type Algorithm } from '../token/algorithm.table.js';
import { own } from '../token/own.js';

/** The members that make a public key of each type (RFC 7518, 6; RFC 8037). */
const keyMembers = {
  RSA: ['n', 'e'],
  EC: ['crv', 'x', 'y'],
  OKP: ['crv', 'x'],
} as const satisfies Record<string, readonly string[]>;

/**
 * Members that only a private or a shared key has. Whoever publishes it has given it away, so nothing that it signed is
 * believed.
 */
const secretMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k', 'priv'];

/** RFC 7518, 3.3. */
const leastModulus = 2048;

/** A key of the set that can verify signatures. */
export class PublicKey {
  readonly #imported = new Map<Algorithm, Promise<CryptoKey>>();

  private constructor(
    readonly kid: string,
    /** The algorithms it may be used with: those that its type and curve allow, or the only one it names. */
    readonly algorithms: readonly Algorithm[],
    private readonly jwk: JWK,
    /** Says whether another key of another reading is the same. */
    readonly fingerprint: string,
  ) {}

  /** Makes a key of a member of a key set; undefined when it cannot verify signatures of tokens. */
  static async of(member: unknown): Promise<PublicKey | undefined> {
    const key = PublicKey.#described(member);
    const [algorithm] = key?.algorithms ?? [];
    if (key === undefined || algorithm === undefined) return undefined;
    try {
      const { modulusLength = leastModulus } = (await key.for(algorithm)).algorithm as ModulusLength;
      return modulusLength >= leastModulus ? key : undefined;
    } catch {
      // Not a point of its curve, not base64url and the like: one bad key does not spoil the set.
      return undefined;
    }
  }

  /** The key in the form that `jose` needs for an algorithm. */
  for(algorithm: Algorithm): Promise<CryptoKey> {
    let imported = this.#imported.get(algorithm);
    if (imported === undefined) {
      imported = importJWK(this.jwk, algorithm).then((key) => {
        if (key instanceof Uint8Array) throw new TypeError('a shared secret is not a public key');
        return key;
      });
      this.#imported.set(algorithm, imported);
    }
    return imported;
  }

  /** Judges what a key says of itself (RFC 7517, 4). */
  static #described(member: unknown): PublicKey | undefined {
    if (typeof member !== 'object' || member === null) return undefined;
    const [kty, kid, alg, use, operations] = ['kty', 'kid', 'alg', 'use', 'key_ops'].map((name) =>
      own(member, name),
    );
    if (typeof kty !== 'string' || !Object.hasOwn(keyMembers, kty)) return undefined;
    if (typeof kid !== 'string' || kid === '') return undefined;
    if (use !== undefined && use !== 'sig') return undefined;
    if (operations !== undefined && !(Array.isArray(operations) && operations.includes('verify')))
      return undefined;
    if (secretMembers.some((name) => Object.hasOwn(member, name))) return undefined;
    const possible = algorithmsOf(kty, own(member, 'crv'));
    const algorithms = alg === undefined ? possible : possible.filter((name) => name === alg);
    const jwk: Record<string, unknown> = { kty };
    for (const name of keyMembers[kty as keyof typeof keyMembers]) jwk[name] = own(member, name);
    return new PublicKey(kid, algorithms, jwk, JSON.stringify([kid, algorithms, jwk]));
  }
}

interface ModulusLength {
  readonly modulusLength?: number;
}
