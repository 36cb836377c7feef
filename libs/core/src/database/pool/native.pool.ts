import type { MikroORM } from '@mikro-orm/core';
import type { AbstractSqlConnection } from '@mikro-orm/sql';
import { hash } from 'node:crypto';
import type { Cancellation } from '../../limits/cancellation.js';
import { sent as told, type StatementsHeard } from '../errors/connection.statements.js';
import { databaseCode, isChangedResult } from '../errors/database.error.js';
import type { Row } from '../../sql/row.layout.js';
import { rowsOf, type Sent } from './client.query.js';
import type { PgPool } from './pg.pool.js';
import { QueryLog } from './query.log.js';
import type { Statement, StatementInputs } from '../../sql/statement.js';

/**
 * The ways of statements to PostgreSQL. `prepared`: once per connection. `unprepared`: sent whole each time, as a pooler
 * between here and PostgreSQL may need it. `mikro-orm`: on MikroORM's own connection, as with every other database.
 */
export const statementModes = ['prepared', 'unprepared', 'mikro-orm'] as const;
export type StatementMode = (typeof statementModes)[number];

/**
 * The errors of a server that does not know a name, or has another statement by it: a pooler hands each transaction
 * another connection (SQLSTATE, PostgreSQL Appendix A).
 */
const lostNames: ReadonlySet<string | undefined> = new Set(['26000', '42P05']);

/**
 * MikroORM's own pool of PostgreSQL connections, used without MikroORM in between: for statements that stand alone, on
 * endpoints that need no session of their own. Stable statements are prepared once per connection.
 */
export class NativePool {
  #pool: PgPool | undefined;
  #names = new WeakMap<Statement, string>();
  /** The number of times that names were given anew. */
  #renewals = 0;
  readonly #log: QueryLog;

  /**
   * @param prepares whether statements are prepared under a name
   * @param heard who wants to know of statements
   * @param connection whose pool it is; default the primary's
   * @param limit how long a statement may take with the wait for a connection, in milliseconds; then the connection is
   *   given up. Default as long as it takes
   */
  constructor(
    private readonly orm: MikroORM,
    private prepares: boolean,
    private readonly heard: StatementsHeard,
    private readonly connection?: AbstractSqlConnection,
    private readonly limit?: number,
  ) {
    this.#log = new QueryLog(orm.config);
  }

  /** One that sends statements in the same way on another connection. */
  on(connection: AbstractSqlConnection, limit: number): NativePool {
    return new NativePool(this.orm, this.prepares, this.heard, connection, limit);
  }

  /** @param cancellation ends the statement when nobody waits for it any more */
  run(statement: Statement, inputs: StatementInputs, cancellation?: Cancellation): Promise<readonly Row[]> {
    const { limit } = this;
    const name = this.#nameOf(statement);
    const sent = { name, text: statement.text, values: statement.bind(inputs), cancellation, limit };
    const rows = this.#send(sent);
    if (name === '') return rows;
    return rows.catch((error: unknown) => {
      if (!this.#hasForgotten(error)) throw error;
      return this.#send({ ...sent, name: '' });
    });
  }

  #send(sent: Sent): Promise<readonly Row[]> {
    const pool = this.#pool;
    // MikroORM has another pool once it was closed and connected again.
    const isOpen = pool?.ending === false;
    if (isOpen && this.heard.by === undefined && !this.#log.isOn) return rowsOf(pool, sent, this.#warn);
    return told(() => this.#sendLogged(sent, isOpen ? pool : undefined), this.heard);
  }

  async #sendLogged(sent: Sent, open: PgPool | undefined): Promise<readonly Row[]> {
    const pool = open ?? (await this.#open());
    const begun = this.#log.isOn ? Date.now() : 0;
    const rows = await rowsOf(pool, sent, this.#warn);
    if (this.#log.isOn) this.#log.write(sent.text, Date.now() - begun, rows.length);
    return rows;
  }

  async #open(): Promise<PgPool> {
    const connection =
      this.connection ?? (this.orm.config.getDriver().getConnection() as AbstractSqlConnection);
    this.#pool = (await connection.getNativeClient()) as PgPool;
    return this.#pool;
  }

  /** A statement that could not be stopped goes on until it ends by itself. */
  readonly #warn = (error: unknown): void => {
    this.#tell(`A statement could not be cancelled: ${String(error)}`);
  };

  /** MikroORM would keep it to itself, unless it is told to tell of statements. */
  #tell(message: string): void {
    this.orm.config.getLogger().warn('query', message, { enabled: true });
  }

  #nameOf(statement: Statement): string {
    if (!statement.isStable || !this.prepares) return '';
    const known = this.#names.get(statement);
    if (known !== undefined) return known;
    const name = preparedName(statement.text, this.#renewals);
    this.#names.set(statement, name);
    return name;
  }

  /** True if a statement failed for its name, before anything of it was done. Names are given up or given anew then. */
  #hasForgotten(error: unknown): boolean {
    if (isChangedResult(error)) {
      this.#names = new WeakMap();
      this.#renewals += 1;
      return true;
    }
    if (!lostNames.has(databaseCode(error))) return false;
    if (this.prepares)
      this.#tell('Statements are not prepared any more: something between here and PostgreSQL forgets them');
    this.prepares = false;
    return true;
  }
}

/**
 * Names a text, with one name in every process. A pooler lends the processes one connection after the other, so a name of
 * one must not mean a statement of another. 47 characters at most; PostgreSQL keeps 63.
 */
function preparedName(text: string, renewals: number): string {
  return `e${renewals}_${hash('sha256', text, 'base64url')}`;
}
