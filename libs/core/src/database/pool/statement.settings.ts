import type { SessionContext } from '@mikro-orm/core';
import { lockPatience, noticedWait } from '../transactions/lock.patience.js';
import { sessionSettings } from '../transactions/session.settings.js';
import type { PgPool } from './pg.pool.js';
import type { Setting } from './text.query.js';

const none: readonly Setting[] = [];

/**
 * Collects the settings that hold for what is sent next: those of its session, and how long it may wait for a lock.
 *
 * @param waited the wait up to now, in milliseconds
 */
export function settingsOf(
  { options }: PgPool,
  waited: number,
  session?: SessionContext,
): readonly Setting[] {
  const patience = waited < noticedWait ? undefined : lockPatience(options, waited);
  if (session === undefined && patience === undefined) return none;
  const limits: readonly Setting[] = patience === undefined ? none : [['lock_timeout', String(patience)]];
  return session === undefined ? limits : [...sessionSettings(session), ...limits];
}
