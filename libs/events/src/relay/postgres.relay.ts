import { AsyncLocalStorage } from 'node:async_hooks';
import { lostConnectionOr } from '@nest-endpoints/core/internal';
import type { RelayDatabase, RelaySession, RelaySql, SqlRow } from './relay.sql.js';

interface Query {
  readonly text: string;
  readonly values: readonly unknown[];
}

interface Queries {
  query(query: Query): Promise<{ readonly rows: readonly SqlRow[] }>;
  on(event: 'error', listener: () => void): unknown;
  off(event: 'error', listener: () => void): unknown;
}

interface LentClient extends Queries {
  release(isBroken: boolean): void;
}

/** A pool of the driver of PostgreSQL. */
export interface PostgresPool extends Queries {
  readonly options: Readonly<Record<string, unknown>>;
  connect(): Promise<LentClient>;
  end(): Promise<void>;
}

type PoolClass = new (options: object) => PostgresPool;

/** The connections: one holds the lock and hands over, the others are for deliveries. */
const connections = 4;

/** The time that a connection, and that a statement may take, in milliseconds. */
const patience = { connectionTimeoutMillis: 5000, query_timeout: 30_000 };

/** Connections beside MikroORM's pool: one of them is a session for as long as the process hands events on. */
export class PostgresRelay implements RelayDatabase {
  readonly isOwn = false;
  #opening: Promise<PostgresPool> | undefined;
  /** Runs what is part of no request. */
  readonly #outside = AsyncLocalStorage.snapshot();

  /** @param given the pool of MikroORM, which says where the database is */
  constructor(private readonly given: () => Promise<PostgresPool>) {}

  async rows(text: string, values: readonly unknown[] = []): Promise<readonly SqlRow[]> {
    const pool = await this.#pool();
    return sent(() => this.#outside(() => pool.query({ text, values })));
  }

  async session(): Promise<RelaySession> {
    const pool = await this.#pool();
    return new PostgresSession(await told(() => this.#outside(() => pool.connect())));
  }

  async close(): Promise<void> {
    const pool = await this.#opening?.catch(() => undefined);
    await pool?.end();
  }

  /** Opened once; what fails is tried again by the next one. */
  async #pool(): Promise<PostgresPool> {
    const opening = (this.#opening ??= this.#outside(() => this.#open()));
    try {
      return await opening;
    } catch (error) {
      if (this.#opening === opening) this.#opening = undefined;
      throw error;
    }
  }

  async #open(): Promise<PostgresPool> {
    const given = await this.given();
    const Pool = given.constructor as PoolClass;
    // A password is no enumerable property of a pool's options.
    const { password } = given.options;
    const own = {
      max: connections,
      min: 0,
      allowExitOnIdle: true,
      application_name: 'nest-endpoints-events',
    };
    const pool = new Pool({ ...given.options, password, ...own, ...patience });
    // An idle connection that breaks is opened anew.
    pool.on('error', () => undefined);
    return pool;
  }
}

class PostgresSession implements RelaySession {
  isLost = false;
  #isEnded = false;
  readonly #lose = (): void => {
    this.isLost = true;
  };

  /** The statements and transactions before: a session has one at a time. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(private readonly client: LentClient) {
    client.on('error', this.#lose);
  }

  rows(text: string, values: readonly unknown[] = []): Promise<readonly SqlRow[]> {
    return this.#alone(() => this.#sent(text, values));
  }

  transaction<T>(work: (sql: RelaySql) => Promise<T>): Promise<T> {
    return this.#alone(async () => {
      await this.#sent('begin');
      try {
        const result = await work({ rows: (text, values) => this.#sent(text, values) });
        await this.#sent('commit');
        return result;
      } catch (error) {
        await this.#sent('rollback').catch(() => {
          this.isLost = true;
        });
        throw error;
      }
    });
  }

  /** The connection ends, so that nothing of the session is left to whoever would get it next. */
  end(): void {
    this.#release(true);
  }

  giveBack(): void {
    this.#release(this.isLost);
  }

  #release(isBroken: boolean): void {
    this.isLost = true;
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.client.off('error', this.#lose);
    this.client.release(isBroken);
  }

  #alone<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }

  #sent(text: string, values: readonly unknown[] = []): Promise<readonly SqlRow[]> {
    return sent(() => this.client.query({ text, values }));
  }
}

async function sent(query: () => Promise<{ readonly rows: readonly SqlRow[] }>): Promise<readonly SqlRow[]> {
  return (await told(query)).rows;
}

/** Has whoever asks know an error of the connection as such: of a request it is a 503. */
async function told<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    throw lostConnectionOr(error);
  }
}
