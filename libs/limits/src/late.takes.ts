import type { Take } from './limit.store.js';

/** The failure of a store that was too slow. */
export const late = new Error('the store has not answered in time');

/** True if nobody waits for the count of a request any more. */
export function isLate({ until }: Take): boolean {
  return until !== undefined && performance.now() >= until;
}
