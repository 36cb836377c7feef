// Jest loads these two files outside its own module system, with Node's: hence JavaScript, and `.ts` in the paths.
import { PgBouncer, reasonAgainstPgBouncer } from '../drills/support/pgbouncer.mjs';
import { startMariaDb } from './mariadb.ts';
import { preparePglite } from './pglite.snapshot.ts';
import { roomyDirectory, startPostgres } from './postgres.ts';

/** The servers of this run, unless TEST_DATABASE_URL or TEST_MARIADB_SOCKET named another one. */
export const run = { servers: [], poolers: [] };

/**
 * Runs once, before the workers start: they inherit the addresses through the environment. Each worker has a server of its own
 * (`environment.js`): readers of the log of changes wait for every transaction of their server, also for those of other files.
 */
const setUp = async ({ maxWorkers }) => {
  if (process.env.TEST_MARIADB) {
    if (process.env.TEST_MARIADB_SOCKET) return;
    const server = await startMariaDb(await roomyDirectory());
    run.servers.push(server);
    process.env.TEST_MARIADB_SOCKET = server.socket;
    return;
  }
  process.env.TEST_PGLITE_SNAPSHOT = await preparePglite();
  if (!process.env.TEST_DATABASE_URL) {
    // The first makes the user of the system that all of them run as.
    run.servers.push(await startPostgres());
    const others = Array.from({ length: maxWorkers - 1 }, (_, index) => startPostgres(`-${index + 2}`));
    run.servers.push(...(await Promise.all(others)));
    process.env.TEST_DATABASE_URLS = run.servers.map(({ url }) => url).join(' ');
    process.env.TEST_DATABASE_URL = run.servers[0].url;
  }
  if (process.env.TEST_POOLER_URL || reasonAgainstPgBouncer !== undefined) return;
  for (const url of (process.env.TEST_DATABASE_URLS ?? process.env.TEST_DATABASE_URL).split(' ')) {
    const pooler = new PgBouncer(new URL(url));
    await pooler.start();
    run.poolers.push(pooler);
  }
  process.env.TEST_POOLER_URLS = run.poolers.map(({ url }) => url).join(' ');
  process.env.TEST_POOLER_URL = run.poolers[0].url;
};

export { setUp as default };
