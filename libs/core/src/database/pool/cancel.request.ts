import type { CancelKey, PgPool } from './pg.pool.js';

/** The time that telling a server may take, in milliseconds. */
const patience = 2000;

/**
 * Asks the server to stop what one of its connections works on (PostgreSQL, 54.2.9). The request needs no session, so it
 * gets through when all are taken. Poolers pass it on to the connection that serves the client at that moment. It settles
 * when the server has closed the wire: then the connection has been told, and the next statement on it is safe.
 *
 * @throws whatever kept the server from being told
 */
export function requestCancel(
  { Client, options }: Pick<PgPool, 'Client' | 'options'>,
  { processID, secretKey }: CancelKey,
): Promise<void> {
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

/**
 * Has what a connection works on stopped. Whether the server was told for sure; never throws.
 *
 * @param onError is told why it was not
 */
export async function isTold(
  pool: PgPool,
  client: CancelKey,
  onError: (error: unknown) => void,
): Promise<boolean> {
  try {
    await requestCancel(pool, client);
    return true;
  } catch (error) {
    onError(error);
    return false;
  }
}

/** `ssl` is true or an object of options; what is neither is none. */
function isSet(ssl: unknown): boolean {
  return ssl !== undefined && ssl !== null && ssl !== false;
}
