import '../../support/own.exit.code.mjs';
import { startMariaDb } from '../../support/mariadb.ts';
import { preparePglite } from '../../support/pglite.snapshot.ts';
import { roomyDirectory, startPostgres } from '../../support/postgres.ts';

/** Starts a server that every run of tests needs once for all of them, by its name. @returns what ends it */
const starts = {
  async postgresql() {
    process.env.TEST_PGLITE_SNAPSHOT = await preparePglite();
    if (process.env.TEST_DATABASE_URL) return () => Promise.resolve();
    const postgres = await startPostgres();
    process.env.TEST_DATABASE_URL = postgres.url;
    return async () => {
      delete process.env.TEST_DATABASE_URL;
      await postgres.stop();
    };
  },
  async mariadb() {
    const mariadb = await startMariaDb(await roomyDirectory());
    process.env.TEST_MARIADB_SOCKET = mariadb.socket;
    return async () => {
      delete process.env.TEST_MARIADB_SOCKET;
      await mariadb.stop();
    };
  },
};

/** Variables of the tests that run on a database, beside those that lead to its server. */
export const environments = { postgresql: {}, mariadb: { TEST_MARIADB: '1' } };

/** The database on which the tests of a mutant run: its own, where it is one that only another database's tests could notice. */
export const databaseOf = ({ database = 'postgresql' }) => database;

/** Starts what the tests of these databases need. @returns what ends it */
export async function servers(databases) {
  const ends = [];
  for (const database of new Set(databases)) ends.push(await starts[database]());
  return async () => {
    for (const end of ends) await end();
  };
}
