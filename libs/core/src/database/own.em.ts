import type { EntityMetadata } from '@mikro-orm/core';
import type { Cancellation } from '../limits/cancellation.js';
import type { Database, Origin, RequestEntityManager } from './database.js';
import type { NativeWay } from './lease/transaction.lease.js';
import type { NativePool } from './pool/native.pool.js';
import type { RequestTransaction } from './transactions/request.transaction.js';
import { isSpread } from './transactions/spread.session.js';
import type { Restrictions } from '../sql/restriction.js';
import type { Row } from '../sql/row.layout.js';
import type { Statement, StatementInputs } from '../sql/statement.js';
import type { TableSql } from '../sql/table.sql.js';
import type { Viewer } from './viewer.js';

/** The entity manager that one request has for itself, made when something first asks for it. */
export class OwnEm {
  #em: RequestEntityManager | undefined;
  /** The entity manager that it forks from, looked at once for each statement: a guard may change it in between. */
  #origin: Origin | undefined;
  /** True if somebody has it by now, and may have given it filters, or a schema. */
  isGiven = false;
  /** The transaction around everything that the request does; undefined where there is none. */
  whole: RequestTransaction | undefined;
  /** The entity managers of parts of this request that are in its transaction. */
  readonly #parts: RequestEntityManager[] = [];

  /*
   * @param outer that of the request which this one is a part of, in whose transaction it asks; undefined for most
   * @param pool knows how statements are sent past MikroORM
   */
  constructor(
    readonly database: Database,
    readonly viewer: Viewer,
    private readonly outer?: OwnEm,
    private readonly pool?: NativePool,
  ) {}

  /** The entity manager for whoever may change it. It has an empty identity map, and the transaction of the request. */
  get em(): RequestEntityManager {
    this.isGiven = true;
    return this.inner;
  }

  /** The entity manager for who changes neither its filters nor its schema. */
  get inner(): RequestEntityManager {
    return (this.#em ??= this.outer?.forPart(this.viewer) ?? this.database.fork(this.viewer));
  }

  /** Makes the entity manager of a part of this request: in its transaction, for another viewer. */
  forPart(viewer: Viewer): RequestEntityManager {
    const em = this.database.fork(viewer);
    const transaction: unknown = this.inner.getTransactionContext();
    if (transaction === undefined) return em;
    em.setTransactionContext(transaction);
    this.#parts.push(em);
    return em;
  }

  /** Lets parts out of the transaction that ends now. */
  releaseParts(): void {
    for (const em of this.#parts.splice(0)) em.resetTransactionContext();
  }

  /** True if nobody can have given it anything: filters or a schema, nor variables or a role before. */
  get isUntouched(): boolean {
    if (this.isGiven) return false;
    this.#origin = this.database.origin;
    return !this.#origin.hasSessionContext;
  }

  /** Makes it one that functions of the user's may be given: within the transaction of the whole request. */
  async enter(): Promise<void> {
    await this.whole?.begin();
  }

  get isInTransaction(): boolean {
    return this.#em?.isInTransaction() === true;
  }

  get hasEntities(): boolean {
    return this.#em !== undefined && this.#em.getUnitOfWork().getIdentityMap().keys().length > 0;
  }

  /** True if somebody gave variables or a role to it, or to the one it forks from. */
  get hasSessionContext(): boolean {
    return this.#em === undefined
      ? this.database.origin.hasSessionContext
      : this.#em.getSessionContext() !== undefined;
  }

  /** True if a statement that is sent now is part of nothing: of no transaction, nor of a session with variables or a role. */
  standsAlone(): boolean {
    if (this.outer !== undefined || this.whole !== undefined) return false;
    if (this.viewer.sessionContext !== undefined) return false;
    const em = this.#em;
    if (em === undefined) {
      const { hasSessionContext } = this.#origin ?? this.database.origin;
      this.#origin = undefined;
      return !hasSessionContext;
    }
    return !em.isInTransaction() && em.getSessionContext() === undefined;
  }

  /**
   * True if its statements may take the session of row level security along, each for itself: the endpoint asks for one,
   * and nobody has begun a transaction or could know of an entity manager.
   */
  get isLone(): boolean {
    const { isLone, sessionContext } = this.viewer;
    if (isLone !== true || sessionContext === undefined || this.isGiven) return false;
    if (isSpread(sessionContext)) return false;
    if (this.outer !== undefined) return false;
    return this.whole?.hasBegun !== true && !this.isInTransaction && !this.database.origin.hasSessionContext;
  }

  /**
   * The way of statements within its transactions past Kysely; undefined where there is none. One has to be tried again in
   * which a pooler has forgotten a prepared statement, and the transaction of a whole request cannot be.
   */
  get way(): NativeWay | undefined {
    if (this.whole?.isTriedAgain === false) return undefined;
    const pool = this.pool?.inTransactions;
    return pool && { pool, cancellation: this.cancellation };
  }

  /** Sends a statement with MikroORM's own connection: within the transaction of the request, if there is one. */
  async run(statement: Statement, inputs: StatementInputs): Promise<readonly Row[]> {
    await this.whole?.begin();
    return this.database.run(this.inner, statement, inputs, this.way);
  }

  /**
   * Sends a statement that the database may refuse, so that the transaction of the request goes on without it: whoever asks why
   * asks there.
   */
  apart<T>(send: () => Promise<T>): Promise<T> {
    const { whole, database } = this;
    if (whole === undefined || this.isLone) return send();
    return whole.begin().then(() => database.transactions.part(this.inner, send));
  }

  /** The tables that its statements are about: those of its schema, where somebody has chosen one. */
  get tables(): TableSql {
    const { database } = this;
    const schema =
      this.#em === undefined
        ? (this.viewer.schema ?? (this.#origin ??= database.origin).schema)
        : this.#em.schema;
    return schema === undefined ? database.tables : database.tablesIn(schema);
  }

  /**
   * Collects what MikroORM's filters let the request see of some entities.
   * @param isLookedAt whether {@link isUntouched} was asked in the same turn: nobody has changed anything since
   */
  filtered(entities: ReadonlySet<EntityMetadata>, isLookedAt = false): Restrictions | Promise<Restrictions> {
    const { filtered } = this.database;
    if (this.isGiven) return filtered.restrictionsBy(this.inner, entities);
    if (!isLookedAt) this.#origin = undefined;
    const { em } = (this.#origin ??= this.database.origin);
    const known = filtered.restrictions(entities, em);
    if (known !== undefined && !(known instanceof Promise)) return known;
    return Promise.resolve(known).then(
      (restrictions) => restrictions ?? filtered.restrictionsBy(this.inner, entities),
    );
  }

  get cancellation(): Cancellation | undefined {
    return this.viewer.cancellation;
  }

  /** True if what failed stood alone, and somebody still waits for it. A part of a transaction is nothing by itself. */
  get mayRepeat(): boolean {
    if (this.outer !== undefined || this.whole !== undefined || this.isInTransaction) return false;
    return this.cancellation?.reason === undefined;
  }
}
