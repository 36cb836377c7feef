import { AsyncLocalStorage } from 'node:async_hooks';

/** An entity manager of MikroORM. */
export interface ConnectedManager {
  getConnection(): object;
}

/** A row of an answer. */
export type Row = Readonly<Record<string, unknown>>;

interface Query {
  readonly name?: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

interface Client {
  readonly options?: Readonly<Record<string, unknown>>;
  query(query: Query): Promise<{ readonly rows: readonly Row[] }>;
  on?(event: 'error', listener: () => void): unknown;
  end?(): Promise<void>;
}

type PoolClass = new (options: object) => Client;

/** Errors of a server that does not know a name, or has another statement by it (SQLSTATE): a pooler is in between. */
const lostNames: readonly unknown[] = ['26000', '42P05'];

/** The connections that are open at most. */
export const connections = 2;

/**
 * Connections to the database of an entity manager, beside its pool: a request whose transaction has the last connection of that
 * would wait for itself.
 */
export class PostgresConnection {
  #client: Promise<Client> | undefined;
  #prepares = true;
  /** Runs what is part of no request: the entity manager would be that of the request. */
  readonly #outside = AsyncLocalStorage.snapshot();

  constructor(private readonly em: ConnectedManager | (() => ConnectedManager)) {}

  /** The PGlite behind it, which is one process's; undefined where there is a server. */
  async pglite(): Promise<object | undefined> {
    const client = await this.#connected();
    return client.options === undefined ? client : undefined;
  }

  async rows(text: string, values: readonly unknown[], name?: string): Promise<readonly Row[]> {
    const client = await this.#connected();
    if (name === undefined || !this.#prepares) return (await client.query({ text, values })).rows;
    try {
      return (await client.query({ name, text, values })).rows;
    } catch (error) {
      if (!lostNames.includes((error as { readonly code?: unknown }).code)) throw error;
      this.#prepares = false;
      return (await client.query({ text, values })).rows;
    }
  }

  async close(): Promise<void> {
    const client = await this.#client?.catch(() => undefined);
    if (client?.options !== undefined) await client.end?.();
    this.#client = undefined;
  }

  /** Connects once; what fails is tried again by the next one. */
  async #connected(): Promise<Client> {
    const opening = (this.#client ??= this.#outside(() => this.#open()));
    try {
      return await opening;
    } catch (error) {
      if (this.#client === opening) this.#client = undefined;
      throw error;
    }
  }

  async #open(): Promise<Client> {
    const em = typeof this.em === 'function' ? this.em() : this.em;
    const connection = em.getConnection() as { getNativeClient(): Promise<unknown> };
    const client = (await connection.getNativeClient()) as Client;
    if (client.options === undefined) return client;
    const Pool = client.constructor as PoolClass;
    // A password is no enumerable property of a pool's options.
    const { password } = client.options;
    const own = {
      max: connections,
      allowExitOnIdle: true,
      connectionTimeoutMillis: 1000,
      query_timeout: 1000,
    };
    const pool = new Pool({ ...client.options, password, ...own });
    // An idle connection that breaks is opened anew.
    pool.on?.('error', () => undefined);
    return pool;
  }
}
