import { AsyncLocalStorage } from 'node:async_hooks';
import type { RelayDatabase, RelaySession, RelaySql, SqlRow } from './relay.sql.js';

interface Query {
  readonly text: string;
  readonly values: readonly unknown[];
}

interface Queries {
  query(query: Query): Promise<{ readonly rows: readonly SqlRow[] }>;
  on(event: 'error', listener: () => void): unknown;
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
  readonly #pool: PostgresPool;
  /** Runs what is part of no request. */
  readonly #outside = AsyncLocalStorage.snapshot();

  /** @param pool that of MikroORM, which says where the database is */
  constructor(pool: PostgresPool) {
    const Pool = pool.constructor as PoolClass;
    // A password is no enumerable property of a pool's options.
    const { password } = pool.options;
    const own = {
      max: connections,
      min: 0,
      allowExitOnIdle: true,
      application_name: 'nest-endpoints-events',
    };
    this.#pool = new Pool({ ...pool.options, password, ...own, ...patience });
    // An idle connection that breaks is opened anew.
    this.#pool.on('error', () => undefined);
  }

  async rows(text: string, values: readonly unknown[] = []): Promise<readonly SqlRow[]> {
    return (await this.#outside(() => this.#pool.query({ text, values }))).rows;
  }

  async session(): Promise<RelaySession> {
    return new PostgresSession(await this.#outside(() => this.#pool.connect()));
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }
}

class PostgresSession implements RelaySession {
  isLost = false;
  /** The statements and transactions before: a session has one at a time. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(private readonly client: LentClient) {
    client.on('error', () => {
      this.isLost = true;
    });
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
    this.isLost = true;
    this.client.release(true);
  }

  #alone<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }

  async #sent(text: string, values: readonly unknown[] = []): Promise<readonly SqlRow[]> {
    return (await this.client.query({ text, values })).rows;
  }
}
