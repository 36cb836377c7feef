import { requestCancel } from './cancel.request.js';
import type { PgClient, PgControl, PgPool } from './pg.pool.js';

/** A connection of MikroORM's to PostgreSQL, as far as it makes its pool. */
interface PoolMaker {
  createKyselyDialect(overrides: PoolOverrides): unknown;
}

interface PoolOverrides {
  readonly onPoolCreated?: (pool: PgPool) => unknown;
}

/** The statement that Kysely sends on a connection of its own, to stop what another one does. */
const stopping = /^select pg_cancel_backend\((-?\d+)\)$/;

/**
 * Makes MikroORM cancel its own statements by {@link requestCancel}, too. Kysely names a connection by the number it was
 * given. Behind a pooler that may be another client's connection, or nobody's.
 */
export function cancelByRequest(connection: object): void {
  const maker = connection as PoolMaker;
  const make = maker.createKyselyDialect.bind(connection);
  maker.createKyselyDialect = (overrides) =>
    make({
      ...overrides,
      onPoolCreated: (pool) => {
        translate(pool);
        return overrides.onPoolCreated?.(pool);
      },
    });
}

function translate(pool: PgPool): void {
  const taken = new Map<number, PgClient>();
  pool.on('acquire', (client) => taken.set(client.processID, client));
  pool.on('remove', ({ processID }) => taken.delete(processID));
  pool.Client = new Proxy(pool.Client, {
    construct(target, [options]: [object], newTarget) {
      const client = Reflect.construct(target, [options], newTarget) as PgControl;
      // The pool's own have the options of the pool itself, those that others make have a copy.
      if (options !== pool.options) cancelInstead(pool, taken, client);
      return client;
    },
  });
}

function cancelInstead(pool: PgPool, taken: ReadonlyMap<number, PgClient>, client: PgControl): void {
  const query = client.query.bind(client);
  client.query = (text, ...rest) => {
    const told = typeof text === 'string' ? stopping.exec(text) : null;
    const other = told === null ? undefined : taken.get(Number(told[1]));
    return other === undefined ? query(text, ...rest) : requestCancel(pool, other);
  };
}
