import { clientOf } from './client.mjs';

const orders = new URL('../applications/orders.mjs', import.meta.url);

/** Two instances of the service of orders behind one PgBouncer, and a client of each. */
export async function twoInstances(stage, { connections = 64 } = {}) {
  const postgres = await stage.postgres();
  const pooler = await stage.pgbouncer(postgres);
  const begin = async () => {
    const { url } = await stage.application({
      entry: orders,
      databaseUrl: pooler.url,
      limits: { pooler: 'transaction' },
    });
    const client = clientOf(url, { connections });
    stage.defer(() => client.close());
    return client;
  };
  // The first one makes the tables.
  return { postgres, clients: [await begin(), await begin()] };
}
