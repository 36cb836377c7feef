import { StopRequests } from '../stop.requests.js';
import type { CancelKey, PgPool } from './pg.pool.js';
import type { StopFailure } from './statement.failure.js';

/** The time that telling a server may take, in milliseconds. */
const patience = 2000;

/** A connection, and the pool that it is of. */
interface CancelledConnection {
  readonly pool: Pick<PgPool, 'Client' | 'options'>;
  readonly client: CancelKey;
}

/**
 * Asks the server to stop what one of its connections works on (PostgreSQL, 54.2.9). The request needs no session, so it
 * gets through when all are taken. Poolers pass it on to the connection that serves the client at that moment. It settles
 * when the server has closed the wire: then the connection has been told, and the next statement on it is safe.
 *
 * @throws whatever kept the server from being told
 */
export function requestCancel({ pool, client }: CancelledConnection): Promise<void> {
  const { Client, options } = pool;
  const { processID, secretKey } = client;
  const { connection, host, port, ssl, sslNegotiation } = new Client(options);
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => {
      connection.stream.destroy(new Error(`not told within ${patience} ms`));
    }, patience);
    const ask = (): void => {
      connection.cancel(processID, secretKey);
    };
    connection.once('connect', () => {
      if (!isSet(ssl)) ask();
      else if (sslNegotiation !== 'direct') connection.requestSsl();
    });
    connection.once('sslconnect', ask);
    connection.on('error', reject);
    connection.once('end', () => {
      clearTimeout(late);
      resolve();
    });
    if (host.startsWith('/')) connection.connect(`${host}/.s.PGSQL.${port}`);
    else connection.connect(port, host);
  });
}

/** Has what a connection works on stopped, see {@link StopRequests}. */
export function stopRequests(pool: PgPool, client: CancelKey, onError: StopFailure): StopRequests {
  return new StopRequests(() => requestCancel({ pool, client }), onError);
}

/** `ssl` is true or an object of options; what is neither is none. */
function isSet(ssl: unknown): boolean {
  return ssl !== undefined && ssl !== null && ssl !== false;
}
