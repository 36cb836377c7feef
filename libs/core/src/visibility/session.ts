import { isDeepStrictEqual } from 'node:util';
import type { EntityMetadata, EntityName } from '@mikro-orm/core';
import type { Database, RequestEntityManager } from '../database/database.js';
import { OwnEm } from '../database/own.em.js';
import type { NativePool } from '../database/pool/native.pool.js';
import type { ReadSource } from '../replicas/read.source.js';
import type { Row } from '../sql/row.layout.js';
import type { Restrictions } from '../sql/restriction.js';
import type { Statement, StatementInputs } from '../sql/statement.js';
import type { TableSql } from '../sql/table.sql.js';
import { ReplicaWay, type FindSource } from '../replicas/replica.way.js';
import { readAgain, triedAgain, writeAgain } from '../database/transactions/trials.js';
import { UnitsOfWork, type AfterCommit } from '../database/transactions/units.of.work.js';
import type { Viewer } from '../database/viewer.js';
import { OtherSession } from './other.session.js';
import { scopedEntity, scopedRecords, type ScopedRecords } from './scoped.records.js';
import { Failure, ServiceUnavailable } from '../wire/refusals.js';
import { softEntityOf } from '../model/soft/soft.entity.js';
import { areSoft } from './live.records.js';
import { VisibleRecords } from './visible.records.js';

const everybody: Viewer = {};

type Entities = ReadonlySet<EntityMetadata>;

/**
 * The session through which one request reads and writes: its units of work, the records it may see, and the way of its
 * statements. Nothing of MikroORM is made before something asks for it.
 */
export class Session {
  readonly #own: OwnEm;
  readonly #replicas: ReplicaWay | undefined;
  #madeUnits: UnitsOfWork | undefined;
  #madeVisible: VisibleRecords | undefined;
  #nobody: Session | undefined;

  /**
   * @param pool runs the statements that need no transaction; without it all of them are MikroORM's
   * @param reads where the request reads; undefined for the primary, and where there are no replicas
   * @param outer the session of the request which this one is a part of; undefined for most, see {@link part}
   */
  constructor(
    database: Database,
    private readonly pool?: NativePool,
    viewer: Viewer = everybody,
    readonly reads?: ReadSource | undefined,
    private readonly outer?: Session,
  ) {
    this.#own = new OwnEm(database, viewer, outer === undefined ? undefined : outer.#own, pool);
    this.#replicas = reads?.isForEndpoint === true ? new ReplicaWay(this.#own, pool, reads) : undefined;
  }

  /** The request's own entity manager: an empty identity map, and the transaction of the request if there is one. */
  get em(): RequestEntityManager {
    return this.#own.em;
  }

  /** True if nobody can have given the request's entity manager anything: filters or a schema, nor variables or a role before. */
  get isUntouched(): boolean {
    return this.#own.isUntouched;
  }

  /** The tables that the request's statements are about: those of the schema that somebody has chosen for it. */
  get tables(): TableSql {
    return this.#own.tables;
  }

  get isInTransaction(): boolean {
    return this.#own.isInTransaction;
  }

  /** On a database with one session, what stands outside of the open transaction waits for it. */
  get waitingFor(): string | undefined {
    if (!this.isInTransaction || !this.#own.database.hasOneSession) return undefined;
    return 'on PGlite whatever another entity manager asks waits for the open transaction: use the em that functions get';
  }

  /** The parts that a session is made of which stands beside this one. */
  get origin(): Pick<OwnEm, 'database' | 'viewer'> & { readonly pool: NativePool | undefined } {
    return { database: this.#own.database, pool: this.pool, viewer: this.#own.viewer };
  }

  // Parts

  /** True if the request is a part of another one, see {@link part}. */
  get isPart(): boolean {
    return this.outer !== undefined;
  }

  /**
   * Opens the session of a part of this request. It has the transaction of {@link shared}, and what it leaves for after the
   * commit waits for that. All else is its own: who sees, filters and rules, the entity manager.
   *
   * @throws Failure where row level security has other variables for it, or another role: a transaction has one session
   */
  part(viewer: Viewer): Session {
    const { sessionContext, cancellation } = this.#own.viewer;
    if (!isDeepStrictEqual(viewer.sessionContext, sessionContext))
      throw new Failure({ cause: new OtherSession() });
    cancellation?.whenCancelled((cause) => viewer.cancellation?.cancel(new ServiceUnavailable({ cause })));
    // A part of a part is one of the whole: there is one transaction.
    return new Session(this.#own.database, this.pool, viewer, undefined, this.outer ?? this);
  }

  /** True if a part judges before it writes: the database refused a value, and outside is nothing that parts before it wrote. */
  get judgesFirst(): boolean {
    return this.outer !== undefined && this.#units.judgesFirst;
  }

  /**
   * The session of parts whose sender is not known yet, which must not wait for the transaction. Undefined where it has a
   * session of row level security, which is nobody's.
   */
  get nobody(): Session | undefined {
    const { sessionContext, cancellation } = this.#own.viewer;
    return sessionContext === undefined ? (this.#nobody ??= this.part({ cancellation })) : undefined;
  }

  /**
   * Runs `work`, which has {@link part}s, in one transaction: all of it is kept, or nothing. It is tried again when the
   * database undoes it because of others, three times at most, and with {@link judgesFirst}. Of a part it is that of the whole.
   */
  shared<T>(work: () => Promise<T>): Promise<T> {
    if (this.outer !== undefined) return this.transaction(work);
    return this.#units.shared(() => {
      this.#nobody = undefined;
      return work();
    });
  }

  // Statements

  /** Sends a statement that reads: within the transaction of the request, if there is one. */
  run(statement: Statement, inputs: StatementInputs): Promise<readonly Row[]> {
    const sent = this.#replicas === undefined ? this.#send(statement, inputs) : this.#read(statement, inputs);
    return sent.catch((error: unknown) => readAgain(error, () => this.#read(statement, inputs), this.#own));
  }

  /** Sends a statement that stands alone and writes; what the database says against its values is for the caller. */
  write(statement: Statement, inputs: StatementInputs): Promise<readonly Row[]> {
    const send = (): Promise<readonly Row[]> => this.#send(statement, inputs);
    const sent = this.outer === undefined ? this.#own.apart(send) : this.#units.asPart(send, false);
    return sent.catch((error: unknown) => writeAgain(error, send, this.#own));
  }

  /** Runs finds of MikroORM's that read where {@link run} does: `work` gives them the options it gets. */
  find<T>(work: (options: FindSource) => Promise<T>): Promise<T> {
    return this.#replicas === undefined ? work({}) : this.#replicas.find(work);
  }

  // Units of work

  /**
   * Runs everything a request does in one transaction. It begins with the first statement: a request that is refused
   * before takes no connection.
   */
  whole<T>(work: () => Promise<T>): Promise<T> {
    return this.#units.whole(work);
  }

  /**
   * Runs `work`. What it left for after the commit runs as soon as no unit around it can undo it any more. What a unit
   * that throws has left is dropped.
   */
  unit<T>(work: () => Promise<T>): Promise<T> {
    return this.#units.unit(work);
  }

  /**
   * Runs `work` in one transaction, or in a part of its own of the one that is open: kept when it succeeds, undone when
   * it throws. All of `work` is tried again when the database undoes it because of others. It is not where functions of
   * the user's may know of it from outside: it is a part of something larger, or they hold entities already.
   */
  async transaction<T>(work: () => Promise<T>): Promise<T> {
    await this.enter();
    const once = (): Promise<T> => this.#units.transaction(work);
    const isWithin = this.outer !== undefined || this.#units.isOpen || this.isInTransaction;
    if (isWithin || this.#own.hasEntities) return once();
    const again = (): Promise<T> => {
      this.em.clear();
      return once();
    };
    return once().catch((error: unknown) => triedAgain(error, again, this.#own));
  }

  /**
   * Runs `work` of ours in one transaction, or in a part of its own of the one that is open: once, see {@link repeated}. Nobody gets
   * the entity manager by it, so that statements of ours may be a part of it, and nothing that it made is kept in memory.
   */
  inside<T>(work: () => Promise<T>): Promise<T> {
    return this.#units.inside(work);
  }

  /** Runs `work`, all of whose transactions {@link inside} makes, again where others undid one of them, three times at most. */
  repeated<T>(work: () => Promise<T>): Promise<T> {
    return work().catch((error: unknown) => triedAgain(error, work, this.#own));
  }

  /**
   * Runs writes that only ask what the database has against them, in a transaction of their own that is undone at its end.
   *
   * @param work is given what runs a piece of it, which alone is undone where it throws
   */
  tryOut<T>(work: (piece: <P>(work: () => Promise<P>) => Promise<P>) => Promise<T>): Promise<T> {
    return this.#units.tryOut(work);
  }

  /**
   * Runs reads of ours that see the records of one moment, as {@link inside} does, on a replica where the request may read there.
   * @throws LeftReplica where the replica fails meanwhile: the next time they are read from the primary
   */
  insideMoment<T>(work: () => Promise<T>): Promise<T> {
    const onPrimary = (): Promise<T> => this.inside(work);
    return this.#replicas === undefined ? onPrimary() : this.#replicas.atOneMoment(work, onPrimary);
  }

  /** Runs reads that see the records of one moment, for a viewer who asks for it. */
  async atOneMoment<T>(work: () => Promise<T>): Promise<T> {
    // The transaction of the whole request is one of this sort, too.
    return this.#own.whole === undefined ? this.transaction(work) : work();
  }

  /** Has `work` run once what the unit has written is committed; never when it is undone. The answer waits a second at most. */
  afterCommit(work: AfterCommit): void {
    this.#units.afterCommit(work);
  }

  /** Ends the transaction of the whole request; what follows is asked outside of it. */
  async leave(): Promise<void> {
    await this.#madeUnits?.leave();
  }

  /** Makes the entity manager one that functions of the user's may be given. */
  async enter(): Promise<void> {
    if (this.outer !== undefined) this.#units.refuseUndone();
    await this.#own.enter();
  }

  // Visible records

  /** Collects the live records that filters and rules let the request see. @param isLookedAt if {@link isUntouched} was asked in this turn */
  restrictionsOf(entities: Entities, isLookedAt = false): Restrictions | Promise<Restrictions> {
    const own = this.#own;
    const { visibility, shown } = own.viewer;
    if (visibility === undefined && !(own.database.hasMarks && areSoft(entities)))
      return own.filtered(entities, isLookedAt);
    return (this.#madeVisible ??= new VisibleRecords(own, visibility, shown)).restrictionsOf(entities);
  }

  /**
   * The records of an entity that the request may see, for queries of the user's own.
   *
   * @throws TypeError where the rules do not say it, and where one of them is just being asked
   * @throws NotAuthorized where the request has no value for a scope
   */
  async scoped<E extends object>(entity: EntityName<E>): Promise<ScopedRecords<E>> {
    const own = this.#own;
    const meta = scopedEntity(own, entity);
    await this.enter();
    const restrictions = await this.restrictionsOf(new Set([meta]));
    return scopedRecords(own, meta, restrictions.get(meta));
  }

  /** True if records of this entity may be hidden: by the viewer's own rules, or because they are deleted. */
  narrows(meta: EntityMetadata): boolean {
    return softEntityOf(meta) !== undefined || this.#own.viewer.visibility?.narrows(meta) === true;
  }

  /** True if policies of the database may hide records from the request. */
  get hasPolicies(): boolean {
    return this.#own.viewer.sessionContext !== undefined || this.#own.hasSessionContext;
  }

  /** True if numbers about a whole table would tell the viewer of records that are hidden from it. */
  isPrivate(meta: EntityMetadata): boolean {
    return this.hasPolicies || this.narrows(meta);
  }

  get #units(): UnitsOfWork {
    const { outer } = this;
    return (this.#madeUnits ??= new UnitsOfWork(this.#own, outer === undefined ? undefined : outer.#units));
  }

  /** From a replica where there are some and the request may read there. */
  #read(statement: Statement, inputs: StatementInputs): Promise<readonly Row[]> {
    if (this.#replicas === undefined) return this.#send(statement, inputs);
    return this.#replicas.read(statement, inputs, () => this.#send(statement, inputs));
  }

  /** To the primary: past MikroORM where the statement stands alone and needs nothing of it. */
  #send(statement: Statement, inputs: StatementInputs): Promise<readonly Row[]> {
    const own = this.#own;
    const { pool } = this;
    const { cancellation, sessionContext } = own.viewer;
    if (pool === undefined || statement.needsDriver) return own.run(statement, inputs);
    if (own.standsAlone()) return pool.run(statement, inputs, cancellation);
    if (own.isLone) return pool.run(statement, inputs, cancellation, sessionContext);
    return own.run(statement, inputs);
  }
}
