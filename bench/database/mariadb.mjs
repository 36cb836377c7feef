// The MariaDB of a run: Debian's server with a directory of its own, and default settings but for the durability that no figure
// here is about.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { freePort } from './free.port.mjs';

/** The programs of Debian's mariadb-server, wherever they are. */
const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/usr/local/sbin` };

/** A server of root's refuses to be root without being told to. */
const user = userInfo().uid === 0 ? ['--user=root'] : [];

const settings = [
  '--bind-address=127.0.0.1',
  '--skip-log-bin',
  '--innodb-flush-log-at-trx-commit=0',
  '--innodb-doublewrite=0',
  '--innodb-buffer-pool-size=512M',
  '--max-connections=200',
  '--character-set-server=utf8mb4',
];

/** The most time that a server may take to start, in milliseconds. */
const patience = 60_000;

const run = (program, words) => execFileSync(program, words, { env, stdio: 'pipe' });

const isOpen = (port) =>
  new Promise((resolve) => {
    const probe = connect(port, '127.0.0.1', () => {
      probe.destroy();
      resolve(true);
    });
    probe.on('error', () => resolve(false));
  });

async function listening(port) {
  const end = Date.now() + patience;
  while (!(await isOpen(port))) {
    if (Date.now() > end) throw new Error('mariadbd does not listen');
    await setTimeout(50);
  }
}

/** Starts it; `url` leads to an empty database, `stop` leaves nothing behind. */
export async function startMariaDb() {
  const port = await freePort();
  const home = mkdtempSync(join(tmpdir(), 'nest-endpoints-bench-'));
  const data = `--datadir=${join(home, 'data')}`;
  const made = ['--auth-root-authentication-method=normal', '--skip-test-db', ...user];
  run('mariadb-install-db', ['--no-defaults', data, ...made]);
  const words = [
    '--no-defaults',
    data,
    `--socket=${join(home, 'socket')}`,
    `--port=${port}`,
    ...user,
    ...settings,
  ];
  const child = spawn('mariadbd', words, { env, stdio: 'ignore' });
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`mariadbd ended with ${String(code)}`);
  });
  failed.catch(() => undefined);
  await Promise.race([failed, listening(port)]);
  return {
    url: `mysql://root@127.0.0.1:${port}/bench`,
    pid: child.pid,
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      rmSync(home, { recursive: true, force: true });
    },
  };
}
