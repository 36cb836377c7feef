import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createConnection } from 'mysql2/promise';
import { makeMariaDb, mariaDbEnvironment as env, mariaDbUser } from '../../support/mariadb.ts';
import { freePort } from './free.port.mjs';

/** MariaDB's own defaults, which keep what is committed; only the address is ours, and what it takes of memory. */
const ownSettings = { bind_address: '127.0.0.1', max_connections: '200', innodb_buffer_pool_size: '128M' };

/** The name of the database that a drill has in it. */
const name = 'drill';

/** How long it may take to start, in milliseconds. */
const patience = 60_000;

/** Servers that a drill which ended by itself has left. */
const running = new Set();
process.once('exit', () => {
  for (const server of running) server.discard();
});

/** A real MariaDB on a free port of this machine, which can be killed and started again on the same data. */
export class MariaDbServer {
  #process;
  #port;
  #directory = mkdtempSync(join(tmpdir(), 'nest-endpoints-drill-'));

  /** @param settings of its configuration */
  constructor(settings = {}) {
    this.settings = { ...ownSettings, ...settings };
  }

  /** Why there is none: a sentence for whoever reads the figures; undefined where there is one. */
  static get reasonAgainst() {
    try {
      execFileSync('mariadbd', ['--version'], { env, stdio: 'ignore' });
      return undefined;
    } catch {
      return 'MariaDB is not installed (Debian: apt-get install mariadb-server)';
    }
  }

  get url() {
    return `mysql://root@127.0.0.1:${String(this.#port)}/${name}`;
  }

  /** Makes an empty database. */
  async initialise() {
    running.add(this);
    this.#port = await freePort();
    makeMariaDb(this.#data);
  }

  /** Starts it, and waits until it lets clients in: it has recovered by then. */
  async start() {
    const settings = Object.entries({
      ...this.settings,
      datadir: this.#data,
      socket: join(this.#directory, 'socket'),
      tmpdir: this.#directory,
      port: this.#port,
    });
    const words = settings.map(([key, value]) => `--${key.replaceAll('_', '-')}=${String(value)}`);
    let output = '';
    this.#process = spawn('mariadbd', ['--no-defaults', ...mariaDbUser, ...words], {
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#process.stderr.on('data', (text) => (output = (output + String(text)).slice(-20_000)));
    const end = performance.now() + patience;
    while (!(await this.#isReady())) {
      if (this.#hasEnded || performance.now() > end) throw new Error(`MariaDB does not listen: ${output}`);
      await sleep(20);
    }
  }

  async #isReady() {
    try {
      const connection = await this.#connected();
      await connection.query(`create database if not exists ${name} character set utf8mb4`);
      await connection.end();
      return true;
    } catch {
      return false;
    }
  }

  /** What `kill -9` does to it. */
  async kill() {
    if (this.#process === undefined || this.#hasEnded) return;
    const ended = new Promise((resolve) => this.#process.once('exit', resolve));
    this.#process.kill('SIGKILL');
    await ended;
  }

  get #hasEnded() {
    return this.#process.exitCode !== null || this.#process.signalCode !== null;
  }

  /** Asks the database, past the application. The rows. */
  async query(text) {
    const connection = await this.#connected(name);
    try {
      return (await connection.query(text))[0];
    } finally {
      await connection.end();
    }
  }

  /** Locks a table, so that nobody else reads or writes it. @returns what frees it */
  async lockTable(table) {
    const connection = await this.#connected(name);
    await connection.query(`lock tables ${table} write`);
    return async () => {
      await connection.query('unlock tables');
      await connection.end();
    };
  }

  #connected(database) {
    return createConnection({ host: '127.0.0.1', port: this.#port, user: 'root', database });
  }

  async remove() {
    await this.kill();
    this.discard();
  }

  /** Leaves nothing behind, at once. */
  discard() {
    running.delete(this);
    this.#process?.kill('SIGKILL');
    rmSync(this.#directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }

  get #data() {
    return join(this.#directory, 'data');
  }
}
