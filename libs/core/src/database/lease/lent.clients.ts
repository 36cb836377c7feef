import type { PgClient, PgPool } from '../pool/pg.pool.js';
import { watching } from './watched.method.js';

/** A connection of `pg`, and the pool that it is of. */
export interface NativeClient {
  readonly client: PgClient;
  readonly pool: PgPool;
}

/** Knows which connection of `pg` Kysely has taken out of the pool: it tells nobody. */
export class LentClients {
  #pool: PgPool | undefined;

  /** Tells from which pool Kysely takes connections from now on. */
  watch(pool: PgPool): void {
    this.#pool = pool;
  }

  /** Has a connection taken out of the pool, which is asked for it before anything is waited for. */
  async lent<T>(acquire: () => Promise<T>): Promise<readonly [T, NativeClient | undefined]> {
    const pool = this.#pool;
    if (pool === undefined) return [await acquire(), undefined];
    const { acquiring, asked } = watched(pool, acquire);
    try {
      const connection = await acquiring;
      return [connection, asked === undefined ? undefined : { client: await asked, pool }];
    } catch (error) {
      await giveUp(asked);
      throw error;
    }
  }
}

/** Gives a connection up that could not be prepared: Kysely keeps it out of the pool. */
async function giveUp(asked: Promise<PgClient> | undefined): Promise<void> {
  try {
    (await asked)?.release(true);
  } catch {
    // The pool itself gave none.
  }
}

interface Watched<T> {
  readonly acquiring: Promise<T>;
  /** The connection that the pool will give; undefined where it was not asked for one. */
  readonly asked: Promise<PgClient> | undefined;
}

function watched<T>(pool: PgPool, acquire: () => Promise<T>): Watched<T> {
  let asked: Promise<PgClient> | undefined;
  const see = (given: unknown, { length }: readonly unknown[]): void => {
    if (length === 0) asked = given as Promise<PgClient>;
  };
  return { acquiring: watching(pool, 'connect', see, acquire), asked };
}
