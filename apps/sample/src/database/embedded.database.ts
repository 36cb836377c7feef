import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cube } from '@electric-sql/pglite/contrib/cube';
import { earthdistance } from '@electric-sql/pglite/contrib/earthdistance';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { MikroORM, PgliteDriver } from '@mikro-orm/pglite';
import { DirectoryInUse, DirectoryLock } from '@nest-endpoints/core';
import { StartRefusal } from '../start.refusal.js';
import type { OpenDatabase } from './open.database.js';

/** The extensions that `database/extensions.sql` makes: a server brings its own, PGlite is given them. */
const extensions = { cube, earthdistance, pg_trgm };

/** PGlite, PostgreSQL inside this process, with its files in a directory that it keeps to itself until released. */
export async function openEmbeddedDatabase(directory: string): Promise<OpenDatabase> {
  createDirectory(directory);
  const lock = lockOf(directory);
  const cluster = join(directory, 'postgres');
  if (!existsSync(cluster)) await createCluster(cluster);
  return {
    options: { driver: PgliteDriver, dbName: cluster, driverOptions: { extensions } },
    release: () => {
      lock.release();
    },
  };
}

/** Taken before the database is made: EndpointsModule keeps one to a process that is there. */
function lockOf(directory: string): DirectoryLock {
  try {
    return DirectoryLock.acquire(directory);
  } catch (error) {
    if (!(error instanceof DirectoryInUse)) throw error;
    const advice = 'Or set DATA_DIR to another directory, or DATABASE_URL to use PostgreSQL.';
    throw new StartRefusal(`${error.message} ${advice}`, { cause: error });
  }
}

function createDirectory(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartRefusal(`DATA_DIR cannot be used: ${reason}`, { cause: error });
  }
}

/** Made under another name first: a process stopped half-way must not leave a directory that looks like a database. */
async function createCluster(cluster: string): Promise<void> {
  const unfinished = `${cluster}.new`;
  process.stderr.write(`Creating the database in ${cluster}\n`);
  rmSync(unfinished, { recursive: true, force: true });
  const orm = await MikroORM.init({
    driver: PgliteDriver,
    dbName: unfinished,
    driverOptions: { extensions },
    discovery: { warnWhenNoEntities: false },
  });
  // PGlite starts with its first statement, not with connect().
  await orm.em.fork().execute('select 1');
  await orm.close();
  renameSync(unfinished, cluster);
}
