import { MikroORM, PgliteDriver } from '@mikro-orm/pglite';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const cache = fileURLToPath(new URL('../../node_modules/.cache/nest-endpoints-test', import.meta.url));

/**
 * Makes the data directory of an empty PGlite once and keeps it as a file: booting from it takes a tenth of the
 * time that creating it takes. Answers the file's path.
 */
export const preparePglite = async (): Promise<string> => {
  const snapshot = join(cache, `pglite-${await pgliteVersion()}-alone.tar`);
  if (existsSync(snapshot)) return snapshot;
  const orm = await MikroORM.init({
    driver: PgliteDriver,
    dbName: 'memory://',
    entities: [],
    discovery: { warnWhenNoEntities: false },
  });
  const pglite = await orm.driver.getConnection().getNativeClient();
  for (const statement of withoutTemplates) await orm.driver.execute(statement);
  const directory = await pglite.dumpDataDir('none');
  await orm.close();
  await mkdir(cache, { recursive: true });
  const unfinished = `${snapshot}.${process.pid}`;
  await writeFile(unfinished, Buffer.from(await directory.arrayBuffer()));
  await rename(unfinished, snapshot);
  return snapshot;
};

/** Nobody makes a second database; without the templates of one there are a third of the files to boot from. */
const withoutTemplates = [
  'update pg_database set datistemplate = false, datallowconn = true',
  'drop database template0',
  'drop database template1',
];

/** The data directory to boot an empty PGlite from; not a Blob itself, because MikroORM copies its options deeply. */
export const pgliteSnapshot = {
  type: 'application/x-tar',
  arrayBuffer: async () => readFile(process.env['TEST_PGLITE_SNAPSHOT'] ?? (await preparePglite())),
};

const pgliteVersion = async (): Promise<string> => {
  const entry = createRequire(import.meta.resolve('@mikro-orm/pglite')).resolve('@electric-sql/pglite');
  const manifest: unknown = JSON.parse(await readFile(join(dirname(entry), '../package.json'), 'utf8'));
  return typeof manifest === 'object' && manifest && 'version' in manifest
    ? String(manifest.version)
    : 'unknown';
};
