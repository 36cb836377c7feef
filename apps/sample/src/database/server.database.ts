import { MikroORM, PostgreSqlDriver } from '@mikro-orm/postgresql';
import { recommendedOptions } from '@nest-endpoints/core';
import type { ServerSettings } from '../atlas.settings.js';
import type { OpenDatabase } from './open.database.js';

/** A PostgreSQL server; any number of processes may use it at once. */
export function openServerDatabase({ url, directUrl, replicaUrls }: ServerSettings): OpenDatabase {
  const limits = recommendedOptions(directUrl === undefined ? {} : { pooler: 'transaction' });
  return {
    // Creating a missing database is left to its owner: of two processes that do it at once, the slower one would
    // stay connected to the server's own `postgres` database.
    options: {
      ...limits,
      driver: PostgreSqlDriver,
      clientUrl: url,
      ensureDatabase: false,
      ...(replicaUrls.length > 0 && { replicas: replicaUrls.map((clientUrl) => ({ clientUrl })) }),
    },
    ...(directUrl !== undefined && { direct: openDirectly(directUrl) }),
    release: () => undefined,
  };
}

/** Connections are made when they are needed. */
function openDirectly(clientUrl: string): MikroORM {
  return new MikroORM({
    driver: PostgreSqlDriver,
    clientUrl,
    ensureDatabase: false,
    entities: [],
    discovery: { warnWhenNoEntities: false },
  });
}
