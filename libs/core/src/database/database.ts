import { type EntityManager, type EntityMetadata, type ForkOptions, type MikroORM } from '@mikro-orm/core';
import type { AbstractSqlDriver, SqlEntityManager } from '@mikro-orm/sql';
import type { KyselyTransaction } from './kysely.types.js';
import type { Cancellation } from '../limits/cancellation.js';
import { LastingPlaces } from '../limits/lasting.places.js';
import { KyselySender, signalOf } from './kysely.sender.js';
import type { Viewer } from './viewer.js';
import { keepCauses } from './errors/kept.causes.js';
import {
  listenToConnections,
  type StatementListener,
  type StatementsHeard,
} from './errors/connection.statements.js';
import { keepArraysExact } from '../sql/array.literal.js';
import { ChangeLog } from './changes/change.log.js';
import { FlushedChanges } from './changes/flushed.changes.js';
import { FlushedLog } from './changes/flushed.log.js';
import { ToldTransactions } from './changes/told.transactions.js';
import { Listeners } from './listeners.js';
import { Dialect } from '../sql/dialect.js';
import { softOptionsOf } from '../model/soft/soft.delete.js';
import { obeyChosenSchema } from './em/chosen.schema.js';
import { ChosenTables } from './em/chosen.tables.js';
import { keptInSession, leadByContext } from './em/kept.in.session.js';
import { compareDecimalsExactly } from './em/exact.decimals.js';
import { leaveUntold } from './em/told.changes.js';
import { keepDirectory } from './directory/kept.directory.js';
import { isDriver, mostConnections } from './driver.facts.js';
import { leaseConnections } from './lease/leased.connections.js';
import { prepareFlushes } from './lease/flushed.rows.js';
import { leaseIn, type NativeWay } from './lease/transaction.lease.js';
import { NativePools } from './native.pools.js';
import type { NativePool } from './pool/native.pool.js';
import { checkPooler } from './pool/pooler.js';
import { usualMode, type StatementMode } from './pool/statement.mode.js';
import { FilteredEntities } from './filtered.entities.js';
import { enterAlike } from './transactions/session.settings.js';
import type { Row } from '../sql/row.layout.js';
import type { Statement, StatementInputs } from '../sql/statement.js';
import { TableSql } from '../sql/table.sql.js';
import { settleEvents } from './transactions/transaction.events.js';
import { Transactions, type Beginning } from './transactions/transactions.js';

/** A request's own entity manager: an empty identity map, and the transaction of the request if there is one. */
export type RequestEntityManager = SqlEntityManager;

/** The session of the request that is being answered, as far as it is asked about. */
interface CurrentSession {
  readonly em: RequestEntityManager;
}

/** The entity manager that requests fork from, as it is when somebody asks: one that a middleware of MikroORM's made, or the global one. */
export interface Origin {
  readonly em: EntityManager;
  /** Its schema, where somebody has chosen one. */
  readonly schema: string | undefined;
  /** True if somebody gave it variables or a role for row level security. */
  readonly hasSessionContext: boolean;
}

/** Knows the request that is being answered. */
export interface Current {
  readonly isOn: () => boolean;
  /** Its session where it is one of this database's and its sender is known; undefined outside of one. */
  readonly session: (database: Database) => CurrentSession | undefined;
}

const nobody: Current = { isOn: () => false, session: () => undefined };

/** The SQL database behind a MikroORM instance. */
export class Database {
  readonly dialect: Dialect;
  /** The tables where nobody has chosen a schema. */
  readonly tables: TableSql;
  /** The tables of the schemas that requests have chosen. */
  readonly #chosenTables: ChosenTables;
  /** The entities that MikroORM's filters hold for. */
  readonly filtered: FilteredEntities;
  /** The hooks and subscribers that take part in writes. */
  readonly listeners: Listeners;
  /** The log of changes; undefined where nothing is recorded. */
  readonly changes: ChangeLog | undefined;
  /** True if records of some entity are deleted by a mark. */
  readonly hasMarks: boolean;
  /** True if the driver is the one of PostgreSQL. */
  readonly isPostgres: boolean;
  /** True if all statements go through one session, as with PGlite. */
  readonly hasOneSession: boolean;
  #flushed: FlushedLog | undefined;
  /** Undefined where no trigger records changes. */
  #told: ToldTransactions | undefined;
  readonly transactions: Transactions;
  /** The most connections of what is beside usual requests: half of them, and one where there is no more. */
  readonly mostBeside: number;
  /** The places of transactions that last as long as their clients do. */
  readonly lasting: LastingPlaces;
  readonly #pools: NativePools;
  /** Sends what goes through Kysely. */
  readonly kysely: KyselySender;
  /** True while we ask MikroORM for what it has where no request of ours is in the way, not for a function of the user's. */
  #isAside = false;
  readonly #heard: StatementsHeard = {};

  constructor(
    readonly orm: MikroORM,
    current: Current = nobody,
  ) {
    const driver = orm.em.getDriver() as unknown as AbstractSqlDriver;
    keepCauses(driver);
    enterAlike(driver);
    settleEvents(orm);
    obeyChosenSchema(driver);
    this.dialect = new Dialect(driver.getPlatform());
    this.transactions = new Transactions(orm.config, this.dialect.isolation);
    keepArraysExact(this.dialect.platform);
    leaveUntold(orm);
    compareDecimalsExactly(orm);
    this.tables = new TableSql(driver, this.dialect, orm.config.get('schema'));
    this.#chosenTables = new ChosenTables(this.tables);
    this.isPostgres = isDriver(driver, 'PostgreSqlDriver');
    this.#pools = new NativePools(orm, driver, this.#heard);
    this.kysely = new KyselySender(this.#heard, this.#pools.canCancel);
    this.hasOneSession = isDriver(driver, 'PgliteDriver');
    const hasPool = this.isPostgres || isDriver(driver, 'MySqlDriver');
    this.mostBeside = hasPool ? Math.max(1, Math.floor(mostConnections(orm) / 2)) : 1;
    this.lasting = new LastingPlaces(this.mostBeside);
    const failsWhole = this.isPostgres || this.hasOneSession;
    leaseConnections(driver, { failsWhole, isPostgres: this.isPostgres, config: orm.config });
    if (this.isPostgres) prepareFlushes(driver);
    checkPooler(orm.config);
    if (this.hasOneSession) keepDirectory(orm);
    this.listeners = new Listeners(orm);
    this.filtered = new FilteredEntities(orm, this.dialect);
    this.hasMarks = [...orm.getMetadata().getAll().values()].some(
      (meta) => softOptionsOf(meta.class) !== undefined,
    );
    this.changes = ChangeLog.of(orm.em);
    if (this.changes !== undefined) this.#record(this.changes);
    this.#leadTo(current);
  }

  /** Has flushes tell the log of what they change. Nobody hears of it. */
  #record(changes: ChangeLog): void {
    this.#flushed = new FlushedLog(this, changes);
    if (changes.triggered.length > 0) this.#told = new ToldTransactions(changes);
    const subscriber = new FlushedChanges(changes, this.#flushed, this.#told);
    for (const one of this.#told === undefined ? [subscriber] : [subscriber, this.#told]) {
      this.listeners.ignore(one);
      this.orm.em.getEventManager().registerSubscriber(one);
    }
  }

  /**
   * Runs a write by keys that no flush knows of, within a transaction, and tells the log of it.
   * @param part the one that all records are in; undefined where their table is whole
   */
  recorded<T>(
    em: RequestEntityManager,
    meta: EntityMetadata,
    sort: 'updated' | 'deleted',
    keys: readonly unknown[],
    write: () => Promise<T>,
    part?: unknown,
  ): Promise<T> {
    if (this.#told !== undefined && this.changes?.isTriggered(meta) === true)
      return this.#told.around(em, write);
    const target = this.changes?.toldOf(meta);
    return target === undefined || this.#flushed === undefined
      ? write()
      : this.#flushed.around(em, target, sort, keys, write, part);
  }

  /** Has every statement told of, whoever sends it. */
  listen(listener: StatementListener): void {
    const heard = this.#heard;
    if (heard.by === undefined)
      listenToConnections(this.orm.config.getDriver() as unknown as AbstractSqlDriver, (took) =>
        heard.by?.(took),
      );
    heard.by = listener;
  }

  /** Makes the entity manager that users' services inject lead to that of the request they serve. */
  #leadTo(current: Current): void {
    const { config } = this.orm;
    const given = config.get('context');
    config.set('context', (name) => (this.#isAside ? undefined : current.session(this)?.em) ?? given(name));
    leadByContext(this.orm.em);
  }

  /** The entity manager that requests fork from now. */
  get origin(): Origin {
    const { em } = this.orm;
    this.#isAside = true;
    try {
      return {
        em: em.getContext(false),
        schema: em.schema,
        hasSessionContext: em.getSessionContext() !== undefined,
      };
    } finally {
      this.#isAside = false;
    }
  }

  /** An entity manager for one viewer, whose queries end when nobody waits for them. */
  fork({ sessionContext, cancellation, schema }: Viewer = {}): RequestEntityManager {
    const session = sessionContext === undefined ? {} : { session: sessionContext };
    const chosen = schema === undefined ? {} : { schema };
    const options = { ...session, ...chosen, ...this.#cancelledBy(cancellation) };
    const fork = this.origin.em.fork({ ...options, disableContextResolution: true });
    return keptInSession(fork as RequestEntityManager);
  }

  #cancelledBy(cancellation: Cancellation | undefined): ForkOptions {
    if (cancellation === undefined) return {};
    return { signal: cancellation.signal, inflightQueryAbortStrategy: this.kysely.strategy };
  }

  /** The tables of the schema that a request has chosen, if it has. @throws TypeError as {@link TableSql.in} */
  tablesIn(schema: string | undefined): TableSql {
    return schema === undefined ? this.tables : this.#chosenTables.in(schema);
  }

  /** The reason why statements cannot go past MikroORM; undefined where they can. */
  get reasonAgainstPool(): string | undefined {
    return this.#pools.reasonAgainst;
  }

  /**
   * The pool for statements of this mode; undefined where all of them are MikroORM's.
   *
   * @param mode by default what suits what is between here and the database
   * @param gathers whether quick reads share messages
   */
  pool(mode: StatementMode = usualMode(this.orm.config), gathers = true): NativePool | undefined {
    return mode === 'mikro-orm' ? undefined : this.#pools.for({ prepares: mode === 'prepared', gathers });
  }

  /**
   * Sends a statement with real parameters, inside the entity manager's transaction when there is one.
   *
   * @param way past Kysely on the connection of that transaction; left out, all goes through it
   */
  async run(
    em: RequestEntityManager,
    statement: Statement,
    inputs: StatementInputs,
    way?: NativeWay,
  ): Promise<readonly Row[]> {
    // Variables and roles of row level security hold in a transaction; outside of one all records would be seen. What a
    // search sets would stay on the connection.
    const isTold = inputs.settings !== undefined;
    const hasSettings = isTold || em.getSessionContext() !== undefined || statement.settings.length > 0;
    if (hasSettings && !em.isInTransaction())
      return this.transaction(em, () => this.run(em, statement, inputs, way), {
        way,
        cancellation: way?.cancellation,
      });
    const transaction = em.getTransactionContext<KyselyTransaction>();
    if (isTold && transaction !== undefined) this.#told?.forget(transaction);
    const lease = way === undefined || statement.needsDriver ? undefined : leaseIn(transaction);
    if (way !== undefined && lease !== undefined) return way.pool.within(lease, statement, inputs, way);
    return this.kysely.run(transaction ?? em.getKysely(), statement, inputs, signalOf(em));
  }

  /** Runs `work` in one transaction on the request's own entity manager, see {@link Transactions.run}. */
  transaction<T>(em: RequestEntityManager, work: () => Promise<T>, begins: Beginning = {}): Promise<T> {
    // The statements of a transaction of SQLite see one moment as it is.
    const isOneMoment = begins.isOneMoment === true && this.dialect.catalogue !== undefined;
    return this.transactions.run(em, work, { ...begins, isOneMoment });
  }
}
