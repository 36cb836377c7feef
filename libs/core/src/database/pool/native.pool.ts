import type { MikroORM, SessionContext } from '@mikro-orm/core';
import type { AbstractSqlConnection } from '@mikro-orm/sql';
import { hash } from 'node:crypto';
import type { Cancellation } from '../../limits/cancellation.js';
import { sent as told, type StatementsHeard } from '../errors/connection.statements.js';
import { LostConnection, NoConnection } from '../errors/connection.failure.js';
import { databaseCode, isChangedResult, isLostType } from '../errors/database.error.js';
import { sessionFailure, sessionSettings } from '../transactions/session.settings.js';
import { lockPatience, noticedWait } from '../transactions/lock.patience.js';
import type { Row } from '../../sql/row.layout.js';
import type { Statement, StatementInputs } from '../../sql/statement.js';
import { requestCancel } from './cancel.request.js';
import type { PgClient, PgPool } from './pg.pool.js';
import { poolerOf } from './pooler.js';
import { QueryLog } from './query.log.js';
import { parameterText, TextQuery, type Setting } from './text.query.js';
import { TimeLimit } from './time.limit.js';

/**
 * The errors of a server that does not know a name, or has another statement by it: a pooler hands each transaction
 * another connection (SQLSTATE, PostgreSQL Appendix A).
 */
const lostNames: ReadonlySet<string | undefined> = new Set(['26000', '42P05']);

/**
 * MikroORM's own pool of PostgreSQL connections, used without MikroORM in between: for statements that stand alone, with
 * the session of row level security where there is one. Stable statements are prepared once per connection.
 */
export class NativePool {
  #pool: PgPool | undefined;
  /** True if what is closed on a connection is closed on the server: a pooler may keep it there. */
  readonly #renews: boolean;
  /** The names of statements that were sent before; empty for those that are not prepared. */
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
    this.#renews = poolerOf(orm.config) === undefined;
  }

  /** One that sends statements in the same way on another connection. */
  on(connection: AbstractSqlConnection, limit: number): NativePool {
    return new NativePool(this.orm, this.prepares, this.heard, connection, limit);
  }

  /**
   * @param cancellation ends the statement when nobody waits for it any more
   * @param session the variables and the role of row level security, which hold for this statement alone
   */
  run(
    statement: Statement,
    inputs: StatementInputs,
    cancellation?: Cancellation,
    session?: SessionContext,
  ): Promise<readonly Row[]> {
    const { limit } = this;
    const name = this.#names.get(statement) ?? this.#named(statement);
    const { text, preparation } = statement;
    const isRenewed = preparation === 'renewed';
    const sent = { name, isRenewed, text, values: statement.bind(inputs), cancellation, limit, session };
    const pool = this.#pool;
    const isUsual = pool?.ending === false && this.heard.by === undefined && !this.#isLogged;
    const rows = isUsual ? rowsOf(pool, sent, this.#warn) : this.#send(sent);
    if (name === '') return rows;
    return rows.catch((error: unknown) => {
      if (!this.#hasForgotten(error)) throw error;
      return this.#send({ ...sent, name: '' });
    });
  }

  /** Sends where there is no pool yet, or somebody wants to know of it. */
  #send(sent: Sent): Promise<readonly Row[]> {
    const pool = this.#pool;
    // MikroORM has another pool once it was closed and connected again.
    const open = pool?.ending === false ? pool : undefined;
    return told(() => this.#sendLogged(sent, open), this.heard);
  }

  async #sendLogged(sent: Sent, open: PgPool | undefined): Promise<readonly Row[]> {
    const pool = open ?? (await this.#open());
    const begun = this.#isLogged ? Date.now() : 0;
    const rows = await rowsOf(pool, sent, this.#warn);
    if (this.#isLogged) this.#log.write(sent.text, Date.now() - begun, rows.length);
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

  /** True if somebody reads the log of statements; who debugs may say so at any time. */
  get #isLogged(): boolean {
    return this.#log.threshold !== undefined || this.orm.config.getLogger().isEnabled('query');
  }

  /** The name of a statement that was not sent before. */
  #named(statement: Statement): string {
    const { preparation, text } = statement;
    const isOne = preparation === 'kept' || (preparation === 'renewed' && this.#renews);
    const name = isOne && this.prepares ? preparedName(text, this.#renewals) : '';
    this.#names.set(statement, name);
    return name;
  }

  /** True if a statement failed for its name, before anything of it was done. Names are given up or given anew then. */
  #hasForgotten(error: unknown): boolean {
    if (isChangedResult(error) || isLostType(error)) {
      this.#names = new WeakMap();
      this.#renewals += 1;
      return true;
    }
    if (!lostNames.has(databaseCode(error))) return false;
    if (this.prepares)
      this.#tell('Statements are not prepared any more: something between here and PostgreSQL forgets them');
    this.prepares = false;
    this.#names = new WeakMap();
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

/** A statement on its way. */
interface Sent {
  /** Empty for one that is not prepared. */
  readonly name: string;
  /** True if it is prepared anew before PostgreSQL may keep a plan that knows no values. */
  readonly isRenewed: boolean;
  readonly text: string;
  readonly values: readonly unknown[];
  readonly cancellation: Cancellation | undefined;
  /** The time it may take with the wait for a connection, in milliseconds; undefined for as long as it takes. */
  readonly limit: number | undefined;
  readonly session: SessionContext | undefined;
}

/**
 * Sends one query on a connection of the pool. An error of the statement leaves the connection good; after any other,
 * nobody knows what it will say next.
 *
 * @param onError is told why a statement could not be stopped; it goes on until it ends by itself
 */
function rowsOf(
  pool: PgPool,
  { name, isRenewed, text, values, cancellation, limit, session }: Sent,
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
      let told: Promise<boolean> | undefined;
      const stop = cancellation?.whenCancelled(() => {
        told = isTold(pool, client, onError);
      });
      const waited = performance.now() - asked;
      const patience = waited < noticedWait ? undefined : lockPatience(pool.options, waited);
      const settings = settingsOf(session, patience);
      const query = new TextQuery({ name, isRenewed, text, values: texts, settings }, (error) => {
        if (isDone) return;
        isDone = true;
        late?.end();
        stop?.();
        const isBroken = error !== null && isBreaking(error);
        // Until the server has been told, it might stop what somebody else asks on this connection.
        if (told === undefined) release(isBroken);
        else
          void told.then((isSafe) => {
            release(isBroken || !isSafe);
          });
        if (error === null) resolve(query.rows);
        else if (isLost(error, client)) reject(new LostConnection(error));
        else if (session !== undefined && query.isBefore) reject(sessionFailure(session, error));
        else reject(error);
      });
      client.query(query);
    });
  });
}

const none: readonly Setting[] = [];

/** The settings that hold for a statement: those of its session, and how long it may wait for a lock. */
function settingsOf(session: SessionContext | undefined, patience: number | undefined): readonly Setting[] {
  if (session === undefined && patience === undefined) return none;
  const limits: readonly Setting[] = patience === undefined ? none : [['lock_timeout', String(patience)]];
  return session === undefined ? limits : [...sessionSettings(session), ...limits];
}

/** Has what a connection works on stopped. Whether the server was told for sure; never throws. */
async function isTold(pool: PgPool, client: PgClient, onError: (error: unknown) => void): Promise<boolean> {
  try {
    await requestCancel(pool, client);
    return true;
  } catch (error) {
    onError(error);
    return false;
  }
}

/** True if the connection ended, and nobody has said why. */
function isLost(error: Error, { connection }: PgClient): boolean {
  return databaseCode(error) === undefined && connection.stream.destroyed;
}

/** True if an error is not about the statement alone: it has no SQLSTATE, or one about the connection or the server. */
function isBreaking(error: Error): boolean {
  const code = databaseCode(error);
  return code === undefined || !/^(?=.*\d)[\dA-Z]{5}$/.test(code) || /^(?:08|57P|XX)/.test(code);
}
