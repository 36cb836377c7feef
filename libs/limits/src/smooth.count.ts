import type { Taken } from './limit.store.js';

/** A part of a request that rounding may give away. */
const rounding = 0.01;

/** The facts about a smooth limit. */
interface Smooth {
  readonly quota: number;
  /** In seconds. */
  readonly window: number;
  readonly cost: number;
}

/**
 * The count of a smooth limit (GCRA): of a quota that comes back bit by bit.
 * @param owed the time until all of the quota is there again, in seconds
 */
export function smoothCount({ quota, window, cost }: Smooth, owed: number, allowed: boolean): Taken {
  const each = window / quota;
  const remaining = Math.max(0, Math.floor((window - owed) / each + rounding));
  const retryAfter = allowed ? 0 : Math.max(0, owed + each * cost - window);
  // Who is refused need not wait for all of it: `Retry-After` and the time in `RateLimit` are one.
  return { allowed, remaining, reset: allowed ? Math.max(0, owed) : retryAfter, retryAfter };
}
