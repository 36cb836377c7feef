import type { MySqlClient, MySqlClients } from './mysql2.pool.js';

/** The time that telling a server may take, in milliseconds. */
const patience = 2000;

/** The code of a server that does not know the connection any more. */
const gone = 'ER_NO_SUCH_THREAD';

/** A connection of its own, which no pool counts. */
interface Control {
  readonly stream: { destroy(): unknown };
  query(text: string, values: readonly unknown[], answer: (error: Error | null) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  destroy(): void;
}

/**
 * Has the server end what one of its connections works on, by `kill query`. It goes over a connection of its own, so that it
 * gets through when all of the pool are taken.
 *
 * @throws whatever kept the server from being told
 */
export function killQuery({ config }: MySqlClients, client: MySqlClient): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<undefined>();
  // The class of a pool's connections makes one of no pool, too; the package itself is not ours to require.
  const control = Reflect.construct(client.constructor, [
    null,
    { config: config.connectionConfig },
  ]) as Control;
  const late = setTimeout(() => {
    control.stream.destroy();
    reject(new Error(`not told within ${patience} ms`));
  }, patience);
  const end = (error: Error | null): void => {
    clearTimeout(late);
    control.destroy();
    if (error === null || Reflect.get(error, 'code') === gone) resolve(undefined);
    else reject(error);
  };
  control.on('error', end);
  control.query('kill query ?', [client.threadId], end);
  return promise;
}
