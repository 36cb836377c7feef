import type { MikroORM } from '@mikro-orm/core';
import type { AbstractSqlConnection } from '@mikro-orm/sql';
import type { Cancellation } from '../cancellation.js';
import { LostConnection, NoConnection } from '../connection.failure.js';
import { databaseCode } from '../database.error.js';
import { lockPatience } from '../lock.patience.js';
import { QueryLog } from './query.log.js';
import { parameterText, TextQuery } from './text.query.js';
import { TimeLimit } from './time.limit.js';
import type { Row } from '../row.writer.js';
import type { Statement, StatementInputs } from '../sql/statement.js';

/**
 * How statements reach the database: prepared once per connection of PostgreSQL, sent whole each time (as a pooler
 * between here and PostgreSQL may need it), or with MikroORM's own connection, as everywhere but on PostgreSQL.
 */
export const statementModes = ['prepared', 'unprepared', 'mikro-orm'] as const;
export type StatementMode = (typeof statementModes)[number];

/** A connection that was taken out of the pool. */
interface PgClient {
  readonly processID: number;
  readonly connection: { readonly stream: { readonly destroyed: boolean; destroy(): void } };
  query(query: TextQuery): unknown;
  query(text: string, callback: (error: Error | null) => void): unknown;
}

/** A connection of its own. */
interface PgControl {
  on(event: 'error', listener: (error: Error) => void): unknown;
  connect(): Promise<unknown>;
  query(text: string, values: readonly unknown[]): Promise<unknown>;
  end(): Promise<unknown>;
}

/** A statement on its way. */
interface Sent {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
  readonly cancellation: Cancellation | undefined;
  /** How long it may take with the wait for a connection, in milliseconds; undefined for as long as it takes. */
  readonly limit: number | undefined;
}

/** The pool of `pg`, as far as it is used here. */
interface PgPool {
  readonly ending: boolean;
  readonly Client: new (options: object) => PgControl;
  readonly options: object;
  connect(
    callback: (
      error: Error | undefined,
      client: PgClient | undefined,
      release: (broken?: boolean) => void,
    ) => void,
  ): void;
}

/**
 * What a server says that does not know a name, or another statement by it: a pooler hands each transaction another
 * connection (SQLSTATE, PostgreSQL Appendix A).
 */
const lostNames: ReadonlySet<string | undefined> = new Set(['26000', '42P05']);

/** A prepared statement whose columns have other types than when it was prepared. */
const changedColumns = '0A000';

/** How many statements are prepared at most: each takes memory of the server on every connection. */
const keptNames = 1000;

/**
 * MikroORM's own pool of PostgreSQL connections, used without MikroORM in between: for statements that stand alone, on
 * endpoints that need no session of their own. Stable statements are prepared once per connection.
 */
export class NativePool {
  #pool: PgPool | undefined;
  #names = new Map<Statement, string>();
  #given = 0;
  readonly #log: QueryLog;

  /**
   * @param prepares whether statements are prepared under a name
   * @param connection whose pool it is; default the primary's
   * @param limit how long a statement may take with the wait for a connection, in milliseconds; then the connection is
   *   given up. Default as long as it takes
   */
  constructor(
    private readonly orm: MikroORM,
    private prepares: boolean,
    private readonly connection?: AbstractSqlConnection,
    private readonly limit?: number,
  ) {
    this.#log = new QueryLog(orm.config);
  }

  /** One that sends statements in the same way on another connection. */
  on(connection: AbstractSqlConnection, limit: number): NativePool {
    return new NativePool(this.orm, this.prepares, connection, limit);
  }

  /** @param cancellation ends the statement when nobody waits for it any more */
  async run(
    statement: Statement,
    inputs: StatementInputs,
    cancellation?: Cancellation,
  ): Promise<readonly Row[]> {
    const { text } = statement;
    const values = statement.bind(inputs);
    const name = this.#nameOf(statement);
    const { limit } = this;
    try {
      return await this.#send({ name, text, values, cancellation, limit });
    } catch (error) {
      if (name === '' || !this.#hasForgotten(error)) throw error;
      return this.#send({ name: '', text, values, cancellation, limit });
    }
  }

  #send(sent: Sent): Promise<readonly Row[]> {
    if (this.#pool?.ending === false && !this.#log.isOn) return rowsOf(this.#pool, sent, this.#warn);
    return this.#sendLogged(sent);
  }

  async #sendLogged(sent: Sent): Promise<readonly Row[]> {
    // MikroORM has another pool once it was closed and connected again.
    const pool = this.#pool?.ending === false ? this.#pool : await this.#open();
    const begun = this.#log.isOn ? Date.now() : 0;
    const rows = await rowsOf(pool, sent, this.#warn);
    if (this.#log.isOn) this.#log.write(sent.text, Date.now() - begun, rows.length);
    return rows;
  }

  async #open(): Promise<PgPool> {
    const connection = this.connection ?? (this.orm.em.getDriver().getConnection() as AbstractSqlConnection);
    this.#pool = (await connection.getNativeClient()) as PgPool;
    return this.#pool;
  }

  /** A statement that could not be stopped goes on until it ends by itself. */
  readonly #warn = (error: unknown): void => {
    this.orm.config.getLogger().warn('query', `A statement could not be cancelled: ${String(error)}`);
  };

  #nameOf(statement: Statement): string {
    if (!statement.isStable || !this.prepares) return '';
    const known = this.#names.get(statement);
    if (known !== undefined) return known;
    if (this.#names.size >= keptNames) return '';
    const name = `endpoint_${++this.#given}`;
    this.#names.set(statement, name);
    return name;
  }

  /** Whether a statement failed for its name, before anything of it was done; names are given up or given anew then. */
  #hasForgotten(error: unknown): boolean {
    const code = databaseCode(error);
    if (code === changedColumns) {
      this.#names = new Map();
      return true;
    }
    if (!lostNames.has(code)) return false;
    if (this.prepares)
      this.orm.config
        .getLogger()
        .warn(
          'query',
          'Statements are not prepared any more: something between here and PostgreSQL forgets them',
        );
    this.prepares = false;
    return true;
  }
}

/**
 * Sends one query on a connection of the pool. An error of the statement leaves the connection good; after any other,
 * nobody knows what it will say next.
 */
function rowsOf(
  pool: PgPool,
  { name, text, values, cancellation, limit }: Sent,
  onError: (error: unknown) => void,
): Promise<readonly Row[]> {
  return new Promise((resolve, reject) => {
    const texts = values.map(parameterText);
    const asked = performance.now();
    const late = limit === undefined ? undefined : new TimeLimit(limit, reject);
    pool.connect((failure, client, release) => {
      if (client === undefined) {
        late?.end();
        reject(new NoConnection(failure));
        return;
      }
      if (late?.isOver === true) {
        release();
        return;
      }
      late?.meets(client);
      if (cancellation?.reason !== undefined) {
        late?.end();
        release();
        reject(cancellation.reason);
        return;
      }
      let isDone = false;
      let cancelled: Promise<void> | undefined;
      const stop = cancellation?.whenCancelled(() => {
        cancelled = cancel(pool, client, onError);
      });
      const query = new TextQuery(name, text, texts, (error) => {
        if (isDone) return;
        isDone = true;
        late?.end();
        stop?.();
        const isBroken = error !== null && isBreaking(error);
        // Until the server has been told, it might stop what somebody else asks on this connection.
        if (cancelled === undefined) release(isBroken);
        else
          void cancelled.then(() => {
            release(isBroken);
          });
        if (error === null) resolve(query.rows);
        else reject(isLost(error, client) ? new LostConnection(error) : error);
      });
      const patience = lockPatience(pool.options, performance.now() - asked);
      if (patience === undefined) client.query(query);
      else withPatience(client, patience, query);
    });
  });
}

/** Sends a query that has less time to wait for locks. All three are on their way before the first is answered. */
function withPatience(client: PgClient, patience: number, query: TextQuery): void {
  client.query(`set lock_timeout = ${patience}`, () => undefined);
  client.query(query);
  client.query('reset lock_timeout', (error) => {
    // It may have been stopped in the place of the query; the next request must not inherit what is left.
    if (error !== null) client.connection.stream.destroy();
  });
}

/** Whether the connection ended, and nobody has said why. */
function isLost(error: Error, { connection }: PgClient): boolean {
  return databaseCode(error) === undefined && connection.stream.destroyed;
}

/** How long a server may take to be asked to stop something, in milliseconds. */
const cancelLimit = 2000;

/** Asks the server on a connection of its own to stop what another one works on (PostgreSQL, 9.28.2). Never throws. */
async function cancel(
  { Client, options }: PgPool,
  { processID }: PgClient,
  onError: (error: unknown) => void,
): Promise<void> {
  const limits = { connectionTimeoutMillis: cancelLimit, query_timeout: cancelLimit };
  const control = new Client({ ...options, ...limits });
  // What cuts the connection is also told by the query.
  control.on('error', onError);
  try {
    await control.connect();
    await control.query('select pg_cancel_backend($1)', [processID]);
  } catch (error) {
    onError(error);
  } finally {
    // What was asked has been answered, or never will be.
    control.end().catch(onError);
  }
}

/** Whether an error is not about the statement alone: it has no SQLSTATE, or one about the connection or the server. */
function isBreaking(error: Error): boolean {
  const code = databaseCode(error);
  return code === undefined || !/^(?=.*\d)[\dA-Z]{5}$/.test(code) || /^(?:08|57P|XX)/.test(code);
}
