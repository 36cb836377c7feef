import type { MikroORM, SessionContext } from '@mikro-orm/core';
import type { AbstractSqlConnection } from '@mikro-orm/sql';
import { hash } from 'node:crypto';
import type { Cancellation } from '../../limits/cancellation.js';
import type { NativeLease, TypedRows, WithinOptions, WithinSender } from '../lease/transaction.lease.js';
import { sent as told, type StatementsHeard } from '../errors/connection.statements.js';
import { isChangedResult, isLostName, isLostType } from '../errors/database.error.js';
import type { Row } from '../../sql/row.layout.js';
import type { Statement, StatementInputs } from '../../sql/statement.js';
import { sessionSettings } from '../transactions/session.settings.js';
import { GatheredReads } from './gathered.reads.js';
import { rowsOf, SentStatement } from './lone.statement.js';
import { longestPrepared, type NativePool } from './native.pool.js';
import type { PgPool } from './pg.pool.js';
import { poolerOf } from './pooler.js';
import { QueryLog } from './query.log.js';
import { logsStopFailure, type StopFailure } from './statement.failure.js';
import { parameterText, QueryPart, QueryText, type DescribedField, type Setting } from './text.query.js';

/**
 * MikroORM's own pool of PostgreSQL connections, used without MikroORM in between: for statements that stand alone, with
 * the session of row level security where there is one. Stable statements are prepared once per connection.
 */
export class PostgresPool implements NativePool, WithinSender {
  readonly inTransactions = this;
  #pool: PgPool | undefined;
  /** True if what is closed on a connection is closed on the server: a pooler may keep it there. */
  readonly #renews: boolean;
  #reads: GatheredReads | undefined;
  /** The names of statements that were sent before; empty for those that are not prepared. */
  #names = new WeakMap<Statement, string>();
  /** The columns of prepared statements whose rows were described. */
  #columns = new WeakMap<Statement, readonly ReadColumn[]>();
  /** The number of times that names were given anew. */
  #renewals = 0;
  readonly #log: QueryLog;
  readonly #warn: StopFailure;

  /**
   * @param prepares whether statements are prepared under a name
   * @param gathers whether quick reads share messages
   * @param heard who wants to know of statements
   * @param connection whose pool it is; default the primary's
   * @param limit how long a statement may take with the wait for a connection, in milliseconds; then the connection is
   *   given up. Default as long as it takes
   */
  constructor(
    private readonly orm: MikroORM,
    private prepares: boolean,
    private readonly gathers: boolean,
    private readonly heard: StatementsHeard,
    private readonly connection?: AbstractSqlConnection,
    private readonly limit?: number,
  ) {
    this.#log = new QueryLog(orm.config);
    this.#warn = logsStopFailure(orm.config);
    this.#renews = poolerOf(orm.config) === undefined;
  }

  on(connection: AbstractSqlConnection, limit: number): PostgresPool {
    return new PostgresPool(this.orm, this.prepares, this.gathers, this.heard, connection, limit);
  }

  run(
    statement: Statement,
    inputs: StatementInputs,
    cancellation?: Cancellation,
    session?: SessionContext,
  ): Promise<readonly Row[]> {
    const { limit } = this;
    const { text, preparation, isLookup } = statement;
    const name = this.#names.get(statement) ?? this.#named(statement);
    const isRenewed = preparation === 'renewed';
    const values = statement.bind(inputs).map(parameterText);
    const settings = settingsFor(statement, session, inputs.settings);
    const mayShare = this.gathers && isLookup;
    const sent = new SentStatement(
      name,
      isRenewed,
      text,
      values,
      cancellation,
      limit,
      session,
      settings,
      mayShare,
    );
    const pool = this.#pool;
    const isUsual = pool?.ending === false && this.heard.by === undefined && !this.#log.isRead;
    const rows = isUsual ? this.#rowsOf(pool, sent) : this.#send(sent);
    if (name === '') return rows;
    return rows.catch((error: unknown) => {
      if (!this.#hasForgotten(error)) throw error;
      return this.#send(sent.unprepared);
    });
  }

  within(
    { lease, native }: NativeLease,
    statement: Statement,
    inputs: StatementInputs,
    { cancellation, describes }: WithinOptions = {},
  ): Promise<readonly Row[]> {
    const { text, preparation } = statement;
    const name = this.#names.get(statement) ?? this.#named(statement);
    const values = statement.bind(inputs).map(parameterText);
    const isRenewed = preparation === 'renewed';
    const part = new QueryPart(
      new QueryText(name, isRenewed, text, values, describes),
      settingsFor(statement, undefined, inputs.settings),
    );
    const rows = told(() => lease.send(native, part, cancellation), this.heard);
    if (name === '') return rows;
    return rows.catch((error: unknown) => {
      // The transaction is undone by it, and may be tried again as a whole.
      throw this.#hasForgotten(error) ? new ForgottenStatement(error) : error;
    });
  }

  async recordsWithin(
    lease: NativeLease,
    statement: Statement,
    inputs: StatementInputs,
    width?: number,
  ): Promise<TypedRows> {
    const { client } = lease.native;
    // A prepared statement keeps the types of its columns.
    let columns = this.#names.has(statement) ? this.#columns.get(statement) : undefined;
    const describes =
      columns === undefined
        ? (fields: readonly DescribedField[]): void => {
            columns = fields
              .slice(0, width)
              .map(({ name, dataTypeID }) => [name, client.getTypeParser(dataTypeID, 'text')]);
          }
        : undefined;
    const { cancellation } = lease.way ?? {};
    const rows = await this.within(lease, statement, inputs, { cancellation, describes });
    const read = columns ?? [];
    if (this.#names.get(statement) !== '') this.#columns.set(statement, read);
    return { rows, records: rows.map((row) => recordOf(read, row)) };
  }

  #rowsOf(pool: PgPool, sent: SentStatement): Promise<readonly Row[]> {
    if (!sent.mayShare) return rowsOf(pool, sent, this.#warn);
    if (this.#reads?.pool !== pool) this.#reads = new GatheredReads(pool, this.#warn);
    return this.#reads.rows(sent);
  }

  /** Sends where there is no pool yet, or somebody wants to know of it. */
  #send(sent: SentStatement): Promise<readonly Row[]> {
    const pool = this.#pool;
    // MikroORM has another pool once it was closed and connected again.
    const open = pool?.ending === false ? pool : undefined;
    return told(() => this.#sendLogged(sent, open), this.heard);
  }

  async #sendLogged(sent: SentStatement, open: PgPool | undefined): Promise<readonly Row[]> {
    const pool = open ?? (await this.#open());
    const begun = this.isLogged ? Date.now() : 0;
    const rows = await this.#rowsOf(pool, sent);
    if (this.isLogged) this.#log.write(sent.text, Date.now() - begun, rows.length);
    return rows;
  }

  async #open(): Promise<PgPool> {
    const connection =
      this.connection ?? (this.orm.config.getDriver().getConnection() as AbstractSqlConnection);
    this.#pool = (await connection.getNativeClient()) as PgPool;
    return this.#pool;
  }

  get isLogged(): boolean {
    return this.#log.isRead;
  }

  /** The name of a statement that was not sent before. */
  #named(statement: Statement): string {
    const { preparation, text } = statement;
    const isOne = preparation === 'kept' || (preparation === 'renewed' && this.#renews);
    const mayBe = isOne && this.prepares && text.length <= longestPrepared;
    const name = mayBe ? preparedName(text, this.#renewals) : '';
    this.#names.set(statement, name);
    return name;
  }

  /** MikroORM would keep it to itself, unless it is told to tell of statements. */
  #tellForgotten(): void {
    const message =
      'Statements are not prepared any more: something between here and PostgreSQL forgets them';
    this.orm.config.getLogger().warn('query', message, { enabled: true });
  }

  /** True if a statement failed for its name, before anything of it was done. Names are given up or given anew then. */
  #hasForgotten(error: unknown): boolean {
    if (isChangedResult(error) || isLostType(error)) {
      this.#names = new WeakMap();
      this.#columns = new WeakMap();
      this.#renewals += 1;
      return true;
    }
    if (!isLostName(error)) return false;
    if (this.prepares) this.#tellForgotten();
    this.prepares = false;
    this.#names = new WeakMap();
    return true;
  }
}

/** The name of a column, and how its text is read. */
type ReadColumn = readonly [name: string, parse: (text: string) => unknown];

function recordOf(columns: readonly ReadColumn[], row: Row): Record<string, unknown> {
  return Object.fromEntries(
    columns.map(([name, parse], index) => {
      const value = row[index];
      return [name, typeof value === 'string' ? parse(value) : null];
    }),
  );
}

/** A transaction was undone because a statement is not prepared any more in the way it was: it is as if others were in its way. */
class ForgottenStatement extends Error {
  readonly code = '40001';

  constructor(cause: unknown) {
    super('A prepared statement was given up within a transaction', { cause });
  }
}

/** The settings that go before a statement: those of its session, its own, and those of the request. */
function settingsFor(
  { settings }: Pick<Statement, 'settings'>,
  session: SessionContext | undefined,
  told: readonly Setting[] | undefined,
): readonly Setting[] {
  const own = told === undefined ? settings : [...settings, ...told];
  if (session === undefined) return own;
  return own.length === 0 ? sessionSettings(session) : [...sessionSettings(session), ...own];
}

/**
 * Names a text, with one name in every process. A pooler lends the processes one connection after the other, so a name of
 * one must not mean a statement of another. 47 characters at most; PostgreSQL keeps 63.
 */
function preparedName(text: string, renewals: number): string {
  return `e${renewals}_${hash('sha256', text, 'base64url')}`;
}
