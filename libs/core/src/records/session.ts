import type { EntityMetadata } from '@mikro-orm/core';
import { Failure, ServiceUnavailable, type Refusal } from '../wire/refusals.js';
import { atMost } from './bounded.wait.js';
import { databaseReason, isConnectionLost } from './database.error.js';
import type { Database, RequestEntityManager } from './database.js';
import type { NativePool } from './pool/native.pool.js';
import { RequestTransaction } from './request.transaction.js';
import { inAll, restrictionsOf, unrestricted } from './restriction.js';
import type { Row } from './row.writer.js';
import { isCutOff, triedAgain } from './trials.js';
import type { Fragment, Restrictions, Statement, StatementInputs } from './sql/statement.js';
import type { Viewer } from './viewer.js';

const everybody: Viewer = {};

/** How long an answer waits for what runs after the commit, in milliseconds. */
const patience = 1000;

/** What is to run once nothing can undo what a request wrote. It sees to its own failures, because nobody else can. */
type AfterCommit = () => Promise<void>;

/** What one request reads and writes through. Nothing of MikroORM is made before something asks for it. */
export class Session {
  #em: RequestEntityManager | undefined;
  #whole: RequestTransaction | undefined;
  readonly #visible = new Map<EntityMetadata, Promise<readonly Fragment[]>>();
  /** How many units of work are open, each inside the one before. */
  #units = 0;
  #left: AfterCommit[] = [];

  /** @param pool runs the statements that need no transaction; without it all of them are MikroORM's */
  constructor(
    private readonly database: Database,
    private readonly pool?: NativePool,
    private readonly viewer: Viewer = everybody,
  ) {}

  /** The request's own entity manager: an empty identity map, and the transaction of the request if there is one. */
  get em(): RequestEntityManager {
    this.#em ??= this.database.fork(this.viewer);
    return this.#em;
  }

  /** {@link em} where it is of this database. */
  emOn(database: Database): RequestEntityManager | undefined {
    return database === this.database ? this.em : undefined;
  }

  /** Whether the request has an entity manager by now: whoever asked for it may have given it filters, or a schema. */
  get hasEntityManager(): boolean {
    return this.#em !== undefined;
  }

  /**
   * Runs everything a request does in one transaction, which begins with the first thing that is asked of the
   * database: a request that is refused before takes no connection.
   */
  whole<T>(work: () => Promise<T>): Promise<T> {
    return this.unit(() => this.#inWhole(work));
  }

  /**
   * Runs `work`, and what it left for after the commit as soon as no unit around it can undo it any more. What a unit
   * that throws has left is dropped.
   */
  async unit<T>(work: () => Promise<T>): Promise<T> {
    const left = this.#left.length;
    let result: T;
    this.#units += 1;
    try {
      result = await work();
    } catch (error) {
      this.#left.length = left;
      throw error;
    } finally {
      this.#units -= 1;
    }
    if (this.#units === 0) await this.#committed();
    return result;
  }

  /**
   * Has `work` run once what the unit has written is committed; never when it is undone. The answer waits for it a
   * second at most.
   */
  afterCommit(work: AfterCommit): void {
    // Work that was given up may come here when its unit is over, and undone.
    if (this.#units > 0) this.#left.push(work);
  }

  async #committed(): Promise<void> {
    const left = this.#left.splice(0);
    if (left.length === 0) return;
    this.viewer.cancellation?.forbid();
    await atMost(patience, inOrder(left));
  }

  async #inWhole<T>(work: () => Promise<T>): Promise<T> {
    const whole = new RequestTransaction((inside) =>
      this.database.transaction(this.em, this.#cancellable(inside)),
    );
    this.#whole = whole;
    try {
      const result = await work();
      await whole.commit();
      return result;
    } catch (error) {
      return await whole.rollback(error);
    } finally {
      this.#whole = undefined;
    }
  }

  /** Ends the transaction of the whole request; what follows is asked outside of it. */
  async leave(): Promise<void> {
    const whole = this.#whole;
    this.#whole = undefined;
    await whole?.commit();
  }

  /** Makes the entity manager one that functions of the user's may be given. */
  async enter(): Promise<void> {
    await this.#whole?.begin();
  }

  /** Sends a statement that reads: within the transaction of the request, if there is one. */
  async run(statement: Statement, inputs: StatementInputs): Promise<readonly Row[]> {
    try {
      return await this.#sent(statement, inputs);
    } catch (error) {
      return await this.#readAgain(error, statement, inputs);
    }
  }

  /** A connection that was cut under a read is no reason to fail: nothing was written, and the next one may be good. */
  async #readAgain(error: unknown, statement: Statement, inputs: StatementInputs): Promise<readonly Row[]> {
    try {
      if (isCutOff(error) && this.#mayRepeat()) return await this.#sent(statement, inputs);
      return await this.#again(error, () => this.#sent(statement, inputs));
    } catch (failure) {
      throw refusalOfRead(failure) ?? failure;
    }
  }

  /** Sends a statement that stands alone and writes; what the database says against its values is for the caller. */
  async write(statement: Statement, inputs: StatementInputs): Promise<readonly Row[]> {
    try {
      return await this.#sent(statement, inputs);
    } catch (error) {
      if (isConnectionLost(error)) throw new ServiceUnavailable({ cause: error });
      return this.#again(error, () => this.#sent(statement, inputs));
    }
  }

  #again<T>(error: unknown, work: () => Promise<T>): Promise<T> {
    return triedAgain(error, work, { mayRepeat: () => this.#mayRepeat() });
  }

  /** Whether what failed stood alone, and somebody still waits for it: a part of a transaction is nothing by itself. */
  #mayRepeat(): boolean {
    const isAlone = this.#whole === undefined && !this.isInTransaction;
    return isAlone && this.viewer.cancellation?.reason === undefined;
  }

  /** What MikroORM's filters and the viewer's own rules let the request see of these entities. */
  restrictionsOf(entities: ReadonlySet<EntityMetadata>): Restrictions | Promise<Restrictions> {
    const { visibility } = this.viewer;
    if (visibility !== undefined)
      for (const meta of entities) if (visibility.narrows(meta)) return this.#narrowed(entities);
    return this.#filtered(entities);
  }

  /** Whether the viewer's own rules may hide records of this entity. */
  narrows(meta: EntityMetadata): boolean {
    return this.viewer.visibility?.narrows(meta) ?? false;
  }

  /** Whether numbers about a whole table would tell the viewer of records that are hidden from it. */
  isPrivate(meta: EntityMetadata): boolean {
    return this.viewer.sessionContext !== undefined || this.narrows(meta) || this.#hasSessionContext;
  }

  async #narrowed(entities: ReadonlySet<EntityMetadata>): Promise<Restrictions> {
    const restrictions = new Map(await this.#filtered(entities));
    for (const meta of entities) {
      const filter = restrictions.get(meta);
      const visible = await this.#visibleOf(meta);
      const keys = inAll(filter === undefined ? visible : [filter, ...visible]);
      if (keys !== undefined) restrictions.set(meta, keys);
    }
    return restrictions;
  }

  /** The rules are asked once for each entity of a request. */
  #visibleOf(meta: EntityMetadata): Promise<readonly Fragment[]> {
    const { visibility } = this.viewer;
    if (visibility?.narrows(meta) !== true) return Promise.resolve([]);
    const known = this.#visible.get(meta) ?? this.enter().then(() => visibility.keysOf(meta, this.em));
    this.#visible.set(meta, known);
    return known;
  }

  #filtered(entities: ReadonlySet<EntityMetadata>): Restrictions | Promise<Restrictions> {
    if (this.#em !== undefined) return restrictionsOf(this.em, entities);
    const restricts = this.database.restricts(entities);
    if (restricts === false) return unrestricted;
    return this.#restrictionsOf(entities, restricts);
  }

  async #restrictionsOf(
    entities: ReadonlySet<EntityMetadata>,
    restricts: true | Promise<boolean>,
  ): Promise<Restrictions> {
    return (await restricts) ? restrictionsOf(this.em, entities) : unrestricted;
  }

  /** On a database with one session, what stands outside of the open transaction waits for it. */
  get waitingFor(): string | undefined {
    if (!this.isInTransaction || !this.database.hasOneSession) return undefined;
    return 'on PGlite whatever another entity manager asks waits for the open transaction: use the em that functions get';
  }

  get isInTransaction(): boolean {
    return this.#em?.isInTransaction() === true;
  }

  /**
   * Runs `work` in one transaction, or in a part of its own of the one that is open: kept when it succeeds, undone when
   * it throws. What the database undoes because of others is tried again, all of `work`; unless functions of the user's
   * may know of it from outside, because it is a part of something larger or they hold entities already.
   */
  async transaction<T>(work: () => Promise<T>): Promise<T> {
    await this.enter();
    const once = (): Promise<T> =>
      this.unit(() => this.database.transaction(this.em, this.#cancellable(work)));
    if (this.#units > 0 || this.isInTransaction || this.#hasEntities) return once();
    return once().catch((error: unknown) =>
      this.#again(error, () => {
        this.em.clear();
        return once();
      }),
    );
  }

  get #hasEntities(): boolean {
    return this.#em !== undefined && this.#em.getUnitOfWork().getIdentityMap().keys().length > 0;
  }

  /** A transaction that waits for what never comes would keep its connection, and on PGlite the whole database. */
  #cancellable<T>(work: () => Promise<T>): () => Promise<T> {
    const { cancellation } = this.viewer;
    return cancellation === undefined ? work : () => cancellation.race(work);
  }

  /** Somebody may have given variables or a role to the request's own entity manager, or to the one it forks from. */
  get #hasSessionContext(): boolean {
    return this.#em === undefined
      ? this.database.hasSessionContext
      : this.#em.getSessionContext() !== undefined;
  }

  async #entered(statement: Statement, inputs: StatementInputs): Promise<readonly Row[]> {
    await this.enter();
    return this.database.run(this.em, statement, inputs);
  }

  #sent(statement: Statement, inputs: StatementInputs): Promise<readonly Row[]> {
    if (this.#whole !== undefined) return this.#entered(statement, inputs);
    const { pool } = this;
    const isPooled = !statement.needsDriver && !this.#hasSessionContext && !this.isInTransaction;
    if (isPooled && pool !== undefined)
      return this.database.isObserved
        ? this.database.sent(() => pool.run(statement, inputs, this.viewer.cancellation))
        : pool.run(statement, inputs, this.viewer.cancellation);
    return this.database.run(this.em, statement, inputs);
  }
}

async function inOrder(works: readonly AfterCommit[]): Promise<void> {
  for (const work of works) await work();
}

/** Columns have accepted every value of a read, so one that the database refuses came from the service's own code. */
function refusalOfRead(error: unknown): Refusal | undefined {
  if (isConnectionLost(error)) return new ServiceUnavailable({ cause: error });
  const reason = databaseReason(error);
  return reason === 'value' || reason === 'rule' ? new Failure({ cause: error }) : undefined;
}
