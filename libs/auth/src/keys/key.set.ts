import { InvalidToken, quote } from '../token/invalid.token.js';
import type { Algorithm } from '../token/algorithm.table.js';
import { PublicKey } from './public.key.js';

/** The keys of one reading that can verify signatures, at least one. */
export class KeySet {
  readonly #byKid: ReadonlyMap<string, readonly PublicKey[]>;

  private constructor(private readonly keys: readonly PublicKey[]) {
    this.#byKid = Map.groupBy(keys, ({ kid }) => kid);
  }

  /**
   * @param members what the document lists; those that cannot verify signatures are passed over
   * @param previous whose keys stay the same objects where they are in this set too
   * @throws Error when none of them can
   */
  static async of(members: readonly unknown[], previous?: KeySet): Promise<KeySet> {
    const known = new Map(previous?.keys.map((key) => [key.fingerprint, key]));
    const found = await Promise.all(members.map((member) => PublicKey.of(member)));
    const keys = found.flatMap((key) => (key === undefined ? [] : [known.get(key.fingerprint) ?? key]));
    if (keys.length === 0) throw new Error(`none of its ${members.length} keys can verify signatures`);
    return new KeySet(keys);
  }

  has(kid: string): boolean {
    return this.#byKid.has(kid);
  }

  /** The one key that a token names; undefined when there is none, or more than one, for its algorithm. */
  find(kid: string, alg: Algorithm): PublicKey | undefined {
    const [key, another] = this.#byKid.get(kid)?.filter(({ algorithms }) => algorithms.includes(alg)) ?? [];
    return another === undefined ? key : undefined;
  }

  /** {@link find}. @throws InvalidToken */
  get(kid: string, alg: Algorithm): PublicKey {
    const key = this.find(kid, alg);
    if (key !== undefined) return key;
    throw new InvalidToken(
      this.has(kid)
        ? `kid ${quote(kid)} does not name exactly one key for ${alg}`
        : `kid ${quote(kid)} is unknown`,
    );
  }
}
