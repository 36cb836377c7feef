import type { PgClient, PgPool } from '../pool/pg.pool.js';
import type { NativeClient } from './lease.js';

/** Knows which connection of `pg` Kysely has taken out of the pool: it tells nobody. */
export class LentClients {
  #pool: PgPool | undefined;
  #asked: Promise<PgClient> | undefined;

  /** Looks at what is taken out of a pool from now on. */
  watch(pool: PgPool): void {
    this.#pool = pool;
    const connect = pool.connect.bind(pool) as (...taker: readonly unknown[]) => unknown;
    const watched = (...taker: readonly unknown[]): unknown => {
      const given = connect(...taker);
      if (taker.length === 0) this.#asked = given as Promise<PgClient>;
      return given;
    };
    Reflect.set(pool, 'connect', watched);
  }

  /** Has a connection taken out of the pool, which is asked for it before anything is waited for. */
  async lent<T>(acquire: () => Promise<T>): Promise<readonly [T, NativeClient | undefined]> {
    this.#asked = undefined;
    const acquiring = acquire();
    const asked = this.#asked as Promise<PgClient> | undefined;
    this.#asked = undefined;
    const connection = await acquiring;
    const pool = this.#pool;
    if (asked === undefined || pool === undefined) return [connection, undefined];
    return [connection, { client: await asked, pool }];
  }
}
