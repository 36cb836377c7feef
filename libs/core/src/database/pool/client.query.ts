import type { Cancellation } from '../../limits/cancellation.js';
import { LostConnection, NoConnection } from '../errors/connection.failure.js';
import { databaseCode } from '../errors/database.error.js';
import { lockPatience } from '../transactions/lock.patience.js';
import type { Row } from '../../sql/row.layout.js';
import { requestCancel } from './cancel.request.js';
import type { PgClient, PgPool } from './pg.pool.js';
import { parameterText, TextQuery } from './text.query.js';
import { TimeLimit } from './time.limit.js';

/** A statement on its way. */
export interface Sent {
  /** Empty for one that is not prepared. */
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
  readonly cancellation: Cancellation | undefined;
  /** The time that it may take with the wait for a connection, in milliseconds; undefined for no limit. */
  readonly limit: number | undefined;
}

/**
 * Sends one query on a connection of the pool. After an error of the statement the connection is good. After any other
 * error its next answer cannot be trusted.
 *
 * @param onError is told why a statement could not be stopped; it goes on until it ends by itself
 */
export function rowsOf(
  pool: PgPool,
  { name, text, values, cancellation, limit }: Sent,
  onError: (error: unknown) => void,
): Promise<readonly Row[]> {
  return new Promise((resolve, reject) => {
    const texts = values.map(parameterText);
    const asked = performance.now();
    const late = limit === undefined ? undefined : new TimeLimit(limit, reject);
    pool.connect((failure, client, release) => {
      if (client === undefined) {
        late?.end();
        reject(new NoConnection(failure));
        return;
      }
      if (late?.isOver === true) {
        release();
        return;
      }
      late?.meets(client);
      if (cancellation?.reason !== undefined) {
        late?.end();
        release();
        reject(cancellation.reason);
        return;
      }
      let isDone = false;
      let told: Promise<boolean> | undefined;
      const stop = cancellation?.whenCancelled(() => {
        told = isTold(pool, client, onError);
      });
      const patience = lockPatience(pool.options, performance.now() - asked);
      const query = new TextQuery({ name, text, values: texts, patience }, (error) => {
        if (isDone) return;
        isDone = true;
        late?.end();
        stop?.();
        const isBroken = error !== null && isBreaking(error);
        // Until the server has been told, it might stop what somebody else asks on this connection.
        if (told === undefined) release(isBroken);
        else
          void told.then((isSafe) => {
            release(isBroken || !isSafe);
          });
        if (error === null) resolve(query.rows);
        else reject(isLost(error, client) ? new LostConnection(error) : error);
      });
      client.query(query);
    });
  });
}

/** Has what a connection works on stopped. Whether the server was told for sure; never throws. */
async function isTold(pool: PgPool, client: PgClient, onError: (error: unknown) => void): Promise<boolean> {
  try {
    await requestCancel(pool, client);
    return true;
  } catch (error) {
    onError(error);
    return false;
  }
}

/** True if the connection ended, and nobody has said why. */
function isLost(error: Error, { connection }: PgClient): boolean {
  return databaseCode(error) === undefined && connection.stream.destroyed;
}

/** True if an error is not about the statement alone: it has no SQLSTATE, or one about the connection or the server. */
function isBreaking(error: Error): boolean {
  const code = databaseCode(error);
  return code === undefined || !/^(?=.*\d)[\dA-Z]{5}$/.test(code) || /^(?:08|57P|XX)/.test(code);
}
