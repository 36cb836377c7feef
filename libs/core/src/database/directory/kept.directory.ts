import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import type { MikroORM } from '@mikro-orm/core';
import type { AbstractSqlConnection } from '@mikro-orm/sql';
import { DirectoryLock } from './directory.lock.js';

/** The options of the driver that say where PGlite keeps its files, or that it is made by the user. */
interface PgliteOptions {
  readonly dataDir?: string;
  readonly pglite?: unknown;
}

/**
 * Keeps the files of MikroORM's PGlite to this process, from now until the connection is closed: two that write them undo
 * each other's changes, and neither notices.
 *
 * @throws DirectoryInUse where another process has them
 */
export function keepDirectory({ config, em }: MikroORM): void {
  const { driverOptions, dbName } = config.getAll();
  const { dataDir = dbName, pglite } = driverOptions as PgliteOptions;
  const directory = pglite === undefined ? directoryOf(dataDir ?? '') : undefined;
  if (directory === undefined) return;
  mkdirSync(directory, { recursive: true });
  const lock = DirectoryLock.acquire(directory);
  const connection = em.getDriver().getConnection() as AbstractSqlConnection;
  const close = connection.close.bind(connection);
  connection.close = async (force): Promise<void> => {
    await close(force);
    lock.release();
  };
}

/** Undefined where nothing is kept in files. PGlite takes a path, or a url whose scheme says where. */
function directoryOf(dataDir: string): string | undefined {
  const file = 'file://';
  if (dataDir.startsWith(file)) return resolve(dataDir.slice(file.length));
  return dataDir === '' || /^[a-z-]{2,}:/.test(dataDir) ? undefined : resolve(dataDir);
}
