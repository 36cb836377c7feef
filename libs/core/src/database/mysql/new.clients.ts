import type { AbstractSqlConnection } from '@mikro-orm/sql';
import type { KyselyDriver } from '../kysely.types.js';

/** A connection, as far as it sends statements whole. */
export interface TextClient {
  query(...asked: unknown[]): unknown;
  once(event: 'end' | 'error', listener: (error?: Error) => void): unknown;
  removeListener(event: 'end' | 'error', listener: (error?: Error) => void): unknown;
}

interface TextPool {
  on(event: 'connection', listener: (client: TextClient) => void): unknown;
}

const watched = new WeakSet<TextPool>();

/** Prepares each new connection of a pool before anything is sent on it. */
export function prepareNewClients(
  connection: AbstractSqlConnection,
  driver: KyselyDriver,
  prepare: (client: TextClient) => void,
): void {
  const init = driver.init.bind(driver);
  driver.init = async () => {
    await init();
    const pool = (await connection.getNativeClient()) as TextPool;
    if (watched.has(pool)) return;
    watched.add(pool);
    pool.on('connection', prepare);
  };
}
