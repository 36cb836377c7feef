import type { SessionContext } from '@mikro-orm/core';
import { noticedWait, type Cancellation } from '../../limits/cancellation.js';
import type { Row } from '../../sql/row.layout.js';
import { LostConnection, NoConnection } from '../errors/connection.failure.js';
import { connectionPatience, lockPatience, waitedBefore } from '../transactions/lock.patience.js';
import { sessionFailure } from '../transactions/session.settings.js';
import type { StopRequests } from '../stop.requests.js';
import { stopRequests } from './cancel.request.js';
import type { PgClient, PgPool, Release } from './pg.pool.js';
import { isBreaking, isLost, type StopFailure } from './statement.failure.js';
import { QueryPart, TextQuery, type Setting } from './text.query.js';
import { TimeLimit } from './time.limit.js';

/**
 * Statement on its way.
 *
 * As others that hold what a request waits for, it is of a class. V8 looks at what the first requests leave alive, and may make
 * the object literals of a place in the old heap from then on: each of them would keep its rows until a full collection.
 */
export class SentStatement {
  constructor(
    /** Empty for one that is not prepared. */
    readonly name: string,
    /** True if it is prepared anew before PostgreSQL may keep a plan that knows no values. */
    readonly isRenewed: boolean,
    readonly text: string,
    /** The values as `parameterText` makes them. */
    readonly values: readonly unknown[],
    readonly cancellation: Cancellation | undefined,
    /** The time it may take with the wait for a connection, in milliseconds; undefined for as long as it takes. */
    readonly limit: number | undefined,
    readonly session: SessionContext | undefined,
    /** The settings of that session; empty without one. */
    readonly settings: readonly Setting[],
    /** True if it is quick and only reads, so that it may share a message with others. */
    readonly mayShare: boolean,
  ) {}

  /** The statement as one that is prepared under no name, and sent in a message of its own. */
  get unprepared(): SentStatement {
    const { isRenewed, text, values, cancellation, limit, session, settings } = this;
    return new SentStatement('', isRenewed, text, values, cancellation, limit, session, settings, false);
  }
}

/** Statement that somebody waits for. */
export class AwaitedStatement {
  constructor(
    readonly sent: SentStatement,
    /**
     * The time at which it was asked for, in milliseconds of `performance.now`: earlier by what its request has waited for
     * connections before, where it waits for one of its own.
     */
    readonly asked: number,
    readonly resolve: (rows: readonly Row[]) => void,
    readonly reject: (error: unknown) => void,
  ) {}
}

/** Sends one statement on a connection of the pool. */
export function rowsOf(pool: PgPool, sent: SentStatement, onError: StopFailure): Promise<readonly Row[]> {
  const before = sent.cancellation?.hasWaited === true ? waitedBefore(sent) : 0;
  const patience = before === 0 ? undefined : connectionPatience(pool.options, before);
  return new Promise((resolve, reject) => {
    const statement = new AwaitedStatement(sent, performance.now() - before, resolve, reject);
    sendAlone(pool, statement, onError, patience);
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
  const waited = performance.now() - asked;
  if (waited >= noticedWait) cancellation?.keepWait(waited);
  const settings = settingsOf(pool, waited, sent.settings);
  const query = new TextQuery(Array.of(new QueryPart(sent, settings)), (error) => {
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
