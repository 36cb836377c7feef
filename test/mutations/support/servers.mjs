import '../../support/own.exit.code.mjs';
import { preparePglite } from '../../support/pglite.snapshot.ts';
import { startPostgres } from '../../support/postgres.ts';

/** Starts what every run of tests needs once for all of them. @returns what ends it */
export async function servers() {
  process.env.TEST_PGLITE_SNAPSHOT = await preparePglite();
  if (process.env.TEST_DATABASE_URL) return () => Promise.resolve();
  const postgres = await startPostgres();
  process.env.TEST_DATABASE_URL = postgres.url;
  return async () => {
    delete process.env.TEST_DATABASE_URL;
    await postgres.stop();
  };
}
