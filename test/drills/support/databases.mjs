import { MariaDbServer } from './mariadb.server.mjs';
import { PostgresServer } from './postgres.server.mjs';

/**
 * The servers that a drill may run on. Each can be initialised, started, killed and removed; it has a `url`, answers a `query`, and
 * locks a table.
 */
export const databases = { postgresql: PostgresServer, mariadb: MariaDbServer };
