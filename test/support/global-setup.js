// Jest loads these two files outside its own module system, with Node's: hence JavaScript, and `.ts` in the paths.
import { PgBouncer, reasonAgainstPgBouncer } from '../drills/support/pgbouncer.mjs';
import { preparePglite } from './pglite.snapshot.ts';
import { startPostgres } from './postgres.ts';

/** The servers of this run, unless TEST_DATABASE_URL named another one. */
export const run = { postgres: undefined, pooler: undefined };

/** Runs once, before the workers start: they inherit the addresses through the environment. */
const setUp = async () => {
  process.env.TEST_PGLITE_SNAPSHOT = await preparePglite();
  if (!process.env.TEST_DATABASE_URL) {
    run.postgres = await startPostgres();
    process.env.TEST_DATABASE_URL = run.postgres.url;
  }
  if (process.env.TEST_POOLER_URL || reasonAgainstPgBouncer !== undefined) return;
  run.pooler = new PgBouncer(new URL(process.env.TEST_DATABASE_URL));
  await run.pooler.start();
  process.env.TEST_POOLER_URL = run.pooler.url;
};

export { setUp as default };
