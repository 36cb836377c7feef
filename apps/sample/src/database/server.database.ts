import { PostgreSqlDriver } from '@mikro-orm/postgresql';
import { recommendedOptions } from '@nest-endpoints/core';
import type { OpenDatabase } from './open.database.js';

/** A PostgreSQL server; any number of processes may use it at once. */
export function openServerDatabase(url: string): OpenDatabase {
  return {
    // Creating a missing database is left to its owner: of two processes that do it at once, the slower one would
    // stay connected to the server's own `postgres` database.
    options: { ...recommendedOptions(), driver: PostgreSqlDriver, clientUrl: url, ensureDatabase: false },
    release: () => undefined,
  };
}
