import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './free.port.mjs';

/** Debian puts it where only root's path leads. */
const program = ['pgbouncer', '/usr/sbin/pgbouncer', '/usr/local/sbin/pgbouncer'].find(isThere);

/** Why there is none: a sentence for whoever reads the figures; undefined where there is one. */
export const reasonAgainstPgBouncer =
  program === undefined ? 'PgBouncer is not installed (Debian: apt-get install pgbouncer)' : undefined;

/** As docs/scaling.md says to set it up. */
const ownSettings = {
  pool_mode: 'transaction',
  listen_addr: '127.0.0.1',
  unix_socket_dir: '',
  auth_type: 'trust',
  max_client_conn: '1000',
  default_pool_size: '20',
  // It would have clients wait for two minutes, and leave a server that was away alone for 15 seconds.
  query_wait_timeout: '5',
  server_login_retry: '1',
  // What the drivers of others send; ours do not.
  ignore_startup_parameters: 'extra_float_digits',
};

/** How long it may take to listen, and to leave its clients when it is told to end, in milliseconds. */
const patience = 5000;

/** A PgBouncer of its own in front of a server, on a free port. */
export class PgBouncer {
  #server;
  #settings;
  #port;
  #process;
  #output = '';
  #directory;

  constructor(server, settings = {}) {
    this.#server = server;
    this.#settings = { ...ownSettings, ...settings };
  }

  get url() {
    return `postgresql://postgres:postgres@127.0.0.1:${String(this.#port)}/postgres`;
  }

  async start() {
    if (program === undefined) throw new Error(reasonAgainstPgBouncer);
    this.#port = await freePort();
    this.#directory = mkdtempSync(join(tmpdir(), 'nest-endpoints-pgbouncer-'));
    const users = join(this.#directory, 'users.txt');
    const configuration = join(this.#directory, 'pgbouncer.ini');
    writeFileSync(users, '"postgres" "postgres"\n');
    const settings = { ...this.#settings, listen_port: this.#port, auth_file: users };
    writeFileSync(
      configuration,
      [
        '[databases]',
        `* = host=127.0.0.1 port=${String(this.#server.port)}`,
        '[pgbouncer]',
        ...Object.entries(settings).map(([name, value]) => `${name} = ${String(value)}`),
        '',
      ].join('\n'),
    );
    // It refuses to be root.
    const isRoot = userInfo().uid === 0;
    if (isRoot) execFileSync('chown', ['-R', 'postgres', this.#directory]);
    this.#process = spawn(program, [...(isRoot ? ['-u', 'postgres'] : []), configuration], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#process.stderr.on('data', (text) => (this.#output = (this.#output + String(text)).slice(-20_000)));
    process.once('exit', this.#discard);
    const end = performance.now() + patience;
    while (!(await listens(this.#port))) {
      if (this.#process.exitCode !== null || performance.now() > end)
        throw new Error(`PgBouncer does not listen: ${this.#output}`);
      await sleep(20);
    }
  }

  /** Ends it, whatever its clients do. */
  async remove() {
    if (this.#process === undefined) return;
    const ended = new Promise((resolve) => this.#process.once('exit', resolve));
    if (this.#process.exitCode === null && this.#process.kill('SIGKILL')) await ended;
    process.off('exit', this.#discard);
    this.#discard();
  }

  #discard = () => {
    this.#process.kill('SIGKILL');
    rmSync(this.#directory, { recursive: true, force: true });
  };
}

function listens(port) {
  return new Promise((resolve) => {
    const probe = connect(port, '127.0.0.1', () => {
      probe.destroy();
      resolve(true);
    }).once('error', () => resolve(false));
  });
}

function isThere(name) {
  try {
    execFileSync(name, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
