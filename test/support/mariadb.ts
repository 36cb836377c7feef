import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

/** The environment of the programs of Debian's mariadb-server, which stand where only root's path leads. */
export const mariaDbEnvironment = {
  ...process.env,
  PATH: `${process.env['PATH']}:/usr/sbin:/usr/local/sbin`,
};

/** The most time that a server may take to start, in milliseconds. */
const patience = 60_000;

/** The user that a server of root's runs as: it refuses to be root without being told to. */
export const mariaDbUser = userInfo().uid === 0 ? ['--user=root'] : [];

/** Settings of a server that may forget everything, and of a session as `docs/databases.md` asks for it. */
const settings = [
  '--skip-log-bin',
  '--innodb-flush-log-at-trx-commit=0',
  '--innodb-doublewrite=0',
  '--innodb-buffer-pool-size=128M',
  '--innodb-log-file-size=32M',
  '--max-connections=300',
  '--character-set-server=utf8mb4',
  '--performance-schema=0',
];

/** A MariaDB server that lives as long as the test run. */
export interface MariaDbServer {
  /** The socket where it listens; its user `root` has no password. */
  readonly socket: string;
  /** Ends the server and removes its data. */
  stop(): Promise<void>;
}

/**
 * Starts a real MariaDB that listens on a socket of its own.
 *
 * @param home the directory in which it has its own
 * @param port where it listens on this machine, too; undefined for the socket alone
 * @throws Error where Debian's mariadb-server is not installed
 */
export const startMariaDb = async (home: string, port?: number): Promise<MariaDbServer> => {
  const directory = join(home, `nest-endpoints-mariadb-${process.pid}`);
  const data = join(directory, 'data');
  const socket = join(directory, 'socket');
  const temporary = join(directory, 'temporary');
  await mkdir(temporary, { recursive: true });
  makeMariaDb(data);
  const places = [`--datadir=${data}`, `--socket=${socket}`, `--tmpdir=${temporary}`];
  const network = port === undefined ? ['--skip-networking'] : ['--bind-address=127.0.0.1', `--port=${port}`];
  const words = ['--no-defaults', ...places, ...network, ...mariaDbUser, ...settings];
  const child = spawn('mariadbd', words, { env: mariaDbEnvironment, stdio: 'ignore' });
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`mariadbd ended with ${String(code)} instead of listening`);
  });
  await Promise.race([failed, listening(socket)]);
  failed.catch(() => undefined);
  return { socket, stop: () => stop(child, directory) };
};

/** Makes the data of a server, whose user `root` has no password. @param data the directory of it */
export const makeMariaDb = (data: string): void => {
  const words = ['--auth-root-authentication-method=normal', '--skip-test-db', ...mariaDbUser];
  execFileSync('mariadb-install-db', ['--no-defaults', `--datadir=${data}`, ...words], {
    env: mariaDbEnvironment,
    stdio: 'pipe',
  });
};

const stop = async (child: ChildProcess, directory: string): Promise<void> => {
  if (child.exitCode === null) {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }
  await rm(directory, { recursive: true, force: true });
};

/** Waits until somebody listens: a server says so nowhere else than in its log. */
const listening = async (socket: string): Promise<void> => {
  const end = Date.now() + patience;
  while (!(await isOpen(socket))) {
    if (Date.now() > end) throw new Error(`mariadbd does not listen at ${socket}`);
    await setTimeout(50);
  }
};

const isOpen = (socket: string): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createConnection(socket, () => {
      probe.destroy();
      resolve(true);
    });
    probe.on('error', () => {
      resolve(false);
    });
  });
