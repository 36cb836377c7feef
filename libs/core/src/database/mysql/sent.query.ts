import type { Cancellation } from '../../limits/cancellation.js';
import type { Row } from '../../sql/row.layout.js';
import { LostConnection, NoConnection } from '../errors/connection.failure.js';
import { databaseCode } from '../errors/database.error.js';
import type { StopFailure } from '../pool/statement.failure.js';
import { TimeLimit } from '../pool/time.limit.js';
import { StopRequests } from '../stop.requests.js';
import { waitedBefore } from '../transactions/lock.patience.js';
import { killQuery } from './kill.query.js';
import { lockLimit } from './mysql.patience.js';
import { exactRows } from './mysql.values.js';
import type { MySqlAnswer, MySqlClient, MySqlField } from './mysql2.pool.js';
import { forget, makeRoom } from './prepared.texts.js';
import type { ReadiedClients } from './readied.clients.js';

/** A statement on its way. */
export interface SentQuery {
  readonly text: string;
  /** The values as `parameterOf` makes them. */
  readonly values: readonly unknown[];
  readonly isPrepared: boolean;
  readonly cancellation: Cancellation | undefined;
  /** The time it may take with the wait for a connection, in milliseconds; undefined for as long as it takes. */
  readonly limit: number | undefined;
}

/** The code of a statement that was killed. */
const killed = 'ER_QUERY_INTERRUPTED';

/** The errors behind which a connection ends, or is one to a server that does not write any more. */
const breaking =
  /^ER_(?:CLIENT_INTERACTION_TIMEOUT|CONNECTION_KILLED|SERVER_SHUTDOWN|OPTION_PREVENTS_STATEMENT|READ_ONLY_MODE|CANT_EXECUTE_IN_READ_ONLY_TRANSACTION)$/;

/** Sends a statement on a connection that it has for itself. */
export function sendQuery(
  clients: ReadiedClients,
  sent: SentQuery,
  onError: StopFailure,
): Promise<readonly Row[]> {
  return new Promise((resolve, reject) => {
    const { limit, cancellation } = sent;
    const late = limit === undefined ? undefined : new TimeLimit(limit, reject);
    const before = waitedBefore(sent);
    const asked = performance.now() - before;
    clients.take((failure, client) => {
      if (client === undefined) {
        late?.end();
        reject(new NoConnection(failure));
        return;
      }
      if (late?.isOver === true || cancellation?.reason !== undefined) {
        late?.end();
        client.release();
        if (cancellation?.reason !== undefined) reject(cancellation.reason);
        return;
      }
      late?.meets({ connection: client });
      const waited = performance.now() - asked;
      cancellation?.keepWait(waited);
      const ahead = lockLimit(clients.patience, waited);
      const timely = ahead === '' ? sent : { ...sent, text: ahead + sent.text, isPrepared: false };
      sendOn(clients, client, { sent: timely, late, onError, resolve, reject });
    }, before);
  });
}

/** A statement that has its connection, and who waits for it. */
interface Awaited {
  readonly sent: SentQuery;
  readonly late: TimeLimit | undefined;
  readonly onError: StopFailure;
  readonly resolve: (rows: readonly Row[]) => void;
  readonly reject: (error: unknown) => void;
}

function sendOn(
  { pool }: ReadiedClients,
  client: MySqlClient,
  { sent, late, onError, resolve, reject }: Awaited,
): void {
  const { text: sql, values, isPrepared, cancellation } = sent;
  let isDone = false;
  let stops: StopRequests | undefined;
  const stop = cancellation?.whenCancelled(() => {
    stops = new StopRequests(() => killQuery(pool, client), onError);
  });
  const answer: MySqlAnswer = (error, rows, fields) => {
    if (isDone) return;
    isDone = true;
    late?.end();
    stop?.();
    if (error !== null && isPrepared && isAboutStatement(error)) forget(client, sql);
    giveBack(client, stops, error);
    if (error === null) resolve(rowsIn(rows, isPrepared ? fields : undefined));
    else reject(isFatal(error, client) ? new LostConnection(error) : error);
  };
  const query = { sql, values, rowsAsArray: true } as const;
  if (isPrepared) {
    makeRoom(client, sql);
    client.execute(query, answer);
  } else client.query(query, answer);
}

/** The rows of an answer; a statement that returns none is told of in another way. */
function rowsIn(rows: unknown, fields: readonly MySqlField[] | undefined): readonly Row[] {
  if (!Array.isArray(rows)) return [];
  return fields === undefined ? (rows as Row[]) : exactRows(rows as Row[], fields);
}

/**
 * Gives a connection back whose statement has answered. Until the server has been told to kill, it might kill what somebody else
 * asks on this connection; where it had the answer already, or was told more than once, it might do so still.
 *
 * @param stops undefined if nobody asked to stop it
 */
function giveBack(client: MySqlClient, stops: StopRequests | undefined, error: Error | null): void {
  const isBroken = error !== null && isBreaking(error, client);
  if (stops === undefined) release(client, isBroken);
  else
    void stops.end().then((isTold) => {
      const wasKilled = stops.count === 1 && error !== null && databaseCode(error) === killed;
      release(client, isBroken || !isTold || !wasKilled);
    });
}

function release(client: MySqlClient, isBroken: boolean): void {
  if (!isBroken) client.release();
  else {
    client.destroy();
    client.stream.destroy();
  }
}

/** True if nobody knows what the connection will say next: an error of the server's about the statement has a number. */
function isBreaking(error: Error, client: MySqlClient): boolean {
  if (isFatal(error, client) || typeof Reflect.get(error, 'errno') !== 'number') return true;
  return breaking.test(databaseCode(error) ?? '');
}

/** True if the connection ended. */
function isFatal(error: Error, { stream }: MySqlClient): boolean {
  return Reflect.get(error, 'fatal') === true || stream.destroyed;
}

/** True if it is about a prepared statement, not about what it does: nothing was done. */
export function isAboutStatement(error: unknown): boolean {
  return /^ER_(?:UNKNOWN_STMT_HANDLER|MAX_PREPARED_STMT_COUNT_REACHED|NEED_REPREPARE|UNSUPPORTED_PS)$/.test(
    databaseCode(error) ?? '',
  );
}
