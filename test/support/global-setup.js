// Jest loads these two files outside its own module system, with Node's: hence JavaScript, and `.ts` in the paths.
import { preparePglite } from './pglite.ts';
import { startPostgres } from './postgres.ts';

/** The server of this run, unless TEST_DATABASE_URL named another one. */
export const run = { postgres: undefined };

/** Runs once, before the workers start: they inherit the addresses through the environment. */
const setUp = async () => {
  process.env.TEST_PGLITE_SNAPSHOT = await preparePglite();
  if (process.env.TEST_DATABASE_URL) return;
  run.postgres = await startPostgres();
  process.env.TEST_DATABASE_URL = run.postgres.url;
};

export { setUp as default };
