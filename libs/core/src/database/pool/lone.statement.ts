import type { Row } from '../../sql/row.layout.js';
import { LostConnection, NoConnection } from '../errors/connection.failure.js';
import { lockPatience, noticedWait } from '../transactions/lock.patience.js';
import { sessionFailure } from '../transactions/session.settings.js';
import type { StopRequests } from '../stop.requests.js';
import { stopRequests } from './cancel.request.js';
import type { PgClient, PgPool, Release } from './pg.pool.js';
import type { AwaitedStatement, SentStatement } from './sent.statement.js';
import { isBreaking, isLost, type StopFailure } from './statement.failure.js';
import { TextQuery, type Setting } from './text.query.js';
import { TimeLimit } from './time.limit.js';

/** Sends one statement on a connection of the pool. */
export function rowsOf(pool: PgPool, sent: SentStatement, onError: StopFailure): Promise<readonly Row[]> {
  return new Promise((resolve, reject) => {
    sendAlone(pool, { sent, asked: performance.now(), resolve, reject }, onError);
  });
}

/**
 * Sends a statement on a connection that it has for itself.
 *
 * @param patience how long it waits for the connection, in milliseconds; default as long as the pool lets it
 */
export function sendAlone(
  pool: PgPool,
  statement: AwaitedStatement,
  onError: StopFailure,
  patience?: number,
): void {
  const { sent, asked, reject } = statement;
  const { limit, cancellation } = sent;
  const rest = limit === undefined ? undefined : Math.ceil(limit - (performance.now() - asked));
  const late = rest === undefined ? undefined : new TimeLimit(rest, reject);
  const wait = patience === undefined ? undefined : new TimeLimit(patience, reject);
  pool.connect((failure, client, release) => {
    wait?.end();
    if (client === undefined) {
      late?.end();
      reject(new NoConnection(failure));
      return;
    }
    if (late?.isOver === true || wait?.isOver === true) {
      late?.end();
      letGo(release);
      return;
    }
    late?.meets(client);
    if (cancellation?.reason !== undefined) {
      late?.end();
      letGo(release);
      reject(cancellation.reason);
      return;
    }
    sendOn({ pool, client, release, late, onError }, statement);
  });
}

/**
 * Gives back a connection that nothing was sent on. The pool hands it on at once, and whoever is next may want it as little: each
 * gives it back in a step of its own, because some thousand within each other would be more than a stack holds.
 */
export function letGo(release: Release): void {
  queueMicrotask(() => {
    release();
  });
}

/** A connection that was taken out of the pool, and what is to be done with it. */
export interface TakenConnection {
  readonly pool: PgPool;
  readonly client: PgClient;
  readonly release: Release;
  /** The time limit of what is sent; undefined for as long as it takes. */
  readonly late: TimeLimit | undefined;
  readonly onError: StopFailure;
}

/** Sends a statement. An error of it leaves the connection good; after any other, nobody knows what it will say next. */
export function sendOn(
  { pool, client, release, late, onError }: TakenConnection,
  { sent, asked, resolve, reject }: AwaitedStatement,
): void {
  const { cancellation, session } = sent;
  let isDone = false;
  let stops: StopRequests | undefined;
  const stop = cancellation?.whenCancelled(() => {
    stops = stopRequests(pool, client, onError);
  });
  const settings = settingsOf(pool, performance.now() - asked, sent.settings);
  const query = new TextQuery([{ statement: sent, settings }], (error) => {
    if (isDone) return;
    isDone = true;
    late?.end();
    stop?.();
    releaseAfter(stops, release, error);
    if (error === null) resolve(query.answers[0] ?? []);
    else if (isLost(error, client)) reject(new LostConnection(error));
    else if (session !== undefined && query.isBefore) reject(sessionFailure(session, error));
    else reject(error);
  });
  client.query(query);
}

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

/**
 * Gives a connection back whose statement has answered. While a request to stop it is on its way, that might stop what somebody
 * else asks on this connection.
 *
 * @param stops undefined if nobody asked to stop it
 */
export function releaseAfter(stops: StopRequests | undefined, release: Release, error: Error | null): void {
  const isBroken = error !== null && isBreaking(error);
  if (stops === undefined) release(isBroken);
  else
    void stops.end().then((isSafe) => {
      release(isBroken || !isSafe);
    });
}
