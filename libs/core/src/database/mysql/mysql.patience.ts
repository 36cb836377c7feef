import { NoConnection } from '../errors/connection.failure.js';
import { noticedWait } from '../../limits/cancellation.js';

/** The limits of waits that the driver itself has no options for. */
export interface MySqlPatience {
  /** For a connection, in milliseconds. */
  readonly poolWait: number;
  /** For a lock, with the wait for a connection, in milliseconds; undefined where a statement cannot say it. */
  readonly lockTimeout: number | undefined;
}

/** Limits by what prepares the connections that they are for: the driver warns of options that it does not know. */
const kept = new WeakMap<object, MySqlPatience>();

/** Keeps limits for the connections that a function prepares. */
export function keepPatience(prepare: object, patience: MySqlPatience): void {
  kept.set(prepare, patience);
}

/** The limits for connections; undefined where they are prepared by a function of somebody else's, or by none. */
export function patienceOf(prepare: object | undefined): MySqlPatience | undefined {
  return prepare === undefined ? undefined : kept.get(prepare);
}

/** Is given a connection, or why there is none. */
type Taker<C> = (error: Error | null, client?: C) => void;

/**
 * Gives a taker that waits for a connection no longer than this, in milliseconds. A pool of `mysql2` lets whoever asks wait for ever.
 *
 * @param giveBack is given a connection that comes too late
 */
export function takenWithin<C>(limit: number, taker: Taker<C>, giveBack: (client: C) => void): Taker<C> {
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    inTurns(() => {
      taker(new NoConnection(new Error(`no connection within ${limit} ms`)));
    });
  }, limit);
  return (error, client) => {
    clearTimeout(timer);
    if (!isLate) taker(error, client);
    else if (client !== undefined) giveBack(client);
  };
}

/** The refusals that are due, and how many of them are told before others have their turn. */
const due: (() => void)[] = [];
const atOnce = 4;

/** Tells refusals a few at a time: all who asked at once are late at once, and nobody else would be answered meanwhile. */
function inTurns(refuse: () => void): void {
  if (due.push(refuse) === 1) setImmediate(tellSome);
}

function tellSome(): void {
  for (const refuse of due.splice(0, atOnce)) refuse();
  if (due.length > 0) setImmediate(tellSome);
}

/**
 * Writes the part in front of a statement that limits its wait for a lock, so that it takes no longer together with the wait for
 * the connection; empty where the settings of the session will do.
 *
 * @param waited in milliseconds
 */
export function lockLimit(patience: MySqlPatience | undefined, waited: number): string {
  const limits = lockSettings(patience, waited);
  return limits === undefined ? '' : `set statement ${limits} for `;
}

/**
 * Writes the statements that limit the waits for locks on a connection in the same way, and that give it its own limits again;
 * undefined where those will do.
 *
 * @param waited in milliseconds
 */
export function lockLimits(
  patience: MySqlPatience | undefined,
  waited: number,
): readonly [limit: string, own: string] | undefined {
  const limits = lockSettings(patience, waited);
  if (limits === undefined) return undefined;
  const own = Math.ceil((patience?.lockTimeout ?? 0) / 1000);
  return [`set session ${limits}`, `set session ${waitsOf(own, own)}`];
}

/**
 * The settings that are the shorter by a wait. MariaDB counts whole seconds. A row may be locked for a moment by any write, so that
 * its lock is waited for a second at least.
 */
function lockSettings(patience: MySqlPatience | undefined, waited: number): string | undefined {
  if (waited < noticedWait || patience?.lockTimeout === undefined) return undefined;
  const seconds = Math.max(patience.lockTimeout - waited, 0) / 1000;
  return waitsOf(Math.floor(seconds), Math.max(Math.ceil(seconds), 1));
}

/** The settings of waits for locks, in seconds. */
export const waitsOf = (ofTable: number, ofRow: number): string =>
  `lock_wait_timeout = ${ofTable}, innodb_lock_wait_timeout = ${ofRow}`;
