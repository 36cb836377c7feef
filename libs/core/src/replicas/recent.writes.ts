import { createHash } from 'node:crypto';
import type { WriteMark } from './write.mark.js';

/** The number of clients that are remembered, at some 200 bytes each. */
const usualSize = 10_000;

/**
 * Remembers who has just written, by the subject of their authorization data. It is bounded. Where too many write at
 * once, a forgotten write counts as everybody's, so that nobody misses what they wrote.
 */
export class RecentWrites {
  /** From the oldest on, because a client that writes again moves to the end. */
  readonly #marks = new Map<string, WriteMark>();
  #forAll: WriteMark | undefined;

  /** @param size how many clients are remembered @param now in milliseconds since 1970 */
  constructor(
    private readonly size = usualSize,
    private readonly now: () => number = Date.now,
  ) {}

  /** @param authorizationData of the client; one without a subject is not remembered */
  add(authorizationData: unknown, mark: WriteMark): void {
    const subject = subjectOf(authorizationData);
    if (subject === undefined) return;
    this.#marks.delete(subject);
    this.#marks.set(subject, mark);
    if (this.#marks.size > this.size) this.#forAll = this.#forgetOldest();
  }

  /** Gives the writes that a client must see. */
  *of(authorizationData: unknown): Generator<WriteMark> {
    const now = this.now();
    const subject = subjectOf(authorizationData);
    const own = subject === undefined ? undefined : this.#marks.get(subject);
    for (const mark of [own, this.#forAll]) if (mark !== undefined && mark.until > now) yield mark;
  }

  /** Forgets what has arrived, and what is older than was promised. @param hasArrived whether all replicas show it */
  sweep(hasArrived: (mark: WriteMark) => boolean): void {
    const now = this.now();
    const isOver = (mark: WriteMark): boolean => mark.until <= now || hasArrived(mark);
    if (this.#forAll !== undefined && isOver(this.#forAll)) this.#forAll = undefined;
    for (const [subject, mark] of this.#marks) {
      // The oldest arrive first; those after it are looked at when it has.
      if (!isOver(mark)) return;
      this.#marks.delete(subject);
    }
  }

  #forgetOldest(): WriteMark | undefined {
    for (const [subject, mark] of this.#marks) {
      this.#marks.delete(subject);
      return mark;
    }
    return undefined;
  }
}

/** Names the subject of the data, by claims of a token (RFC 7519, 4.1), as a digest, which is short. */
function subjectOf(data: unknown): string | undefined {
  if (typeof data !== 'object' || data === null || !Object.hasOwn(data, 'sub')) return undefined;
  const { sub, iss } = data as { readonly sub: unknown; readonly iss?: unknown };
  if (typeof sub !== 'string' && typeof sub !== 'number') return undefined;
  const issuer = Object.hasOwn(data, 'iss') && typeof iss === 'string' ? iss : null;
  return createHash('sha256')
    .update(JSON.stringify([issuer, sub]))
    .digest('base64');
}
