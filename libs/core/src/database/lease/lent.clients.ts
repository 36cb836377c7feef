import type { PgClient, PgPool } from '../pool/pg.pool.js';
import type { NativeClient } from './lease.js';

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
    const connection = await acquiring;
    return [connection, asked === undefined ? undefined : { client: await asked, pool }];
  }
}

type Connect = (...taker: readonly unknown[]) => unknown;

interface Watched<T> {
  readonly acquiring: Promise<T>;
  /** The connection that the pool will give; undefined where it was not asked for one. */
  readonly asked: Promise<PgClient> | undefined;
}

/** Looks at what a pool is asked for meanwhile, and no longer: all other statements take their connections unseen. */
function watched<T>(pool: PgPool, acquire: () => Promise<T>): Watched<T> {
  const connect: unknown = Reflect.get(pool, 'connect');
  let asked: Promise<PgClient> | undefined;
  const watching = (...taker: readonly unknown[]): unknown => {
    const given: unknown = Reflect.apply(connect as Connect, pool, taker);
    if (taker.length === 0) asked = given as Promise<PgClient>;
    return given;
  };
  Reflect.set(pool, 'connect', watching);
  try {
    return { acquiring: acquire(), asked };
  } finally {
    Reflect.set(pool, 'connect', connect);
  }
}
