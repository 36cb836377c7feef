import { lockPatience, noticedWait } from '../transactions/lock.patience.js';
import type { PgPool } from './pg.pool.js';
import type { Setting } from './text.query.js';

/**
 * Collects the settings that hold for what is sent next: those of its session, and how long it may wait for a lock.
 *
 * @param waited the wait up to now, in milliseconds
 */
export function settingsOf(
  { options }: PgPool,
  waited: number,
  ofSession: readonly Setting[],
): readonly Setting[] {
  const patience = waited < noticedWait ? undefined : lockPatience(options, waited);
  return patience === undefined ? ofSession : [...ofSession, ['lock_timeout', String(patience)]];
}
