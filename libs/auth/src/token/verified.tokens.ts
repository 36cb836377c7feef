import { hash } from 'node:crypto';
import type { PublicKey } from '../keys/public.key.js';
import type { Algorithm } from './algorithm.table.js';
import type { JsonObject } from './parsed.token.js';
import type { Validity } from './token.claims.js';

/** A token whose signature and registered claims were found good. */
export interface VerifiedToken {
  /** Frozen, because all requests with this token share them. */
  readonly claims: JsonObject;
  readonly validity: Validity;
  readonly alg: Algorithm;
  readonly key: PublicKey;
}

/**
 * Tokens seen before, by the SHA-256 of the `Authorization` header they came in. No token is kept, and a known header is
 * not parsed again. Holds between half of `capacity` and all of it, the ones used last. There are two maps: the older is
 * dropped when the younger has half of all.
 */
export class VerifiedTokens {
  #young = new Map<string, VerifiedToken>();
  #old = new Map<string, VerifiedToken>();

  constructor(private readonly capacity: number) {}

  get(header: string): VerifiedToken | undefined {
    if (this.capacity === 0) return undefined;
    const digest = digestOf(header);
    const young = this.#young.get(digest);
    if (young !== undefined) return young;
    const old = this.#old.get(digest);
    if (old !== undefined) this.#keep(digest, old);
    return old;
  }

  set(header: string, token: VerifiedToken): void {
    if (this.capacity > 0) this.#keep(digestOf(header), token);
  }

  #keep(digest: string, token: VerifiedToken): void {
    if (this.#young.size >= this.capacity / 2) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(digest, token);
  }
}

function digestOf(header: string): string {
  return hash('sha256', header, 'base64');
}
