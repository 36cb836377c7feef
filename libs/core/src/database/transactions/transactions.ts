import { EventType, TransactionEventBroadcaster, type Configuration } from '@mikro-orm/core';
import type { AbstractSqlConnection, Kysely, SqlEntityManager } from '@mikro-orm/sql';
import type { Cancellation } from '../../limits/cancellation.js';
import { ServiceUnavailable } from '../../wire/refusals.js';
import { loggable, lostConnectionOr } from '../errors/database.error.js';
import type { KyselyTransaction } from '../kysely.types.js';
import { TimeLimit } from '../pool/time.limit.js';
import { leaseOf } from '../lease/leased.connections.js';
import { keepLease, keepLeaseOf, type NativeWay } from '../lease/transaction.lease.js';
import { rawQuery } from '../raw.query.js';
import { enterSession } from './session.settings.js';
import { TransactionWaits } from './transaction.waits.js';

type IsolationLevel = 'read committed' | 'repeatable read';

export interface Beginning {
  /** True if its statements see the records of one moment. */
  readonly isOneMoment?: boolean | undefined;
  /** The way of what is sent past Kysely; left out, all goes through it. */
  readonly way?: NativeWay | undefined;
  /** Is not asked to give its request up while the transaction is committed. */
  readonly cancellation?: Cancellation | undefined;
}

/** The transactions of requests, on the connection that writes. */
export class Transactions {
  readonly #waits: TransactionWaits;

  /** @param isolation of all but those that see one moment. Default the database's own */
  constructor(
    private readonly config: Configuration,
    private readonly isolation?: IsolationLevel,
  ) {
    this.#waits = new TransactionWaits(config);
  }

  /**
   * Runs `work` in one transaction on the request's own entity manager: committed when it succeeds, rolled back when it
   * throws. Within it only this entity manager may be used; another connection would not see what it wrote.
   *
   * The connection is held from the pool around the transaction. MikroORM's own `begin` does not give it back when the
   * rollback fails, as it does on a connection that was cut. After a few of those the pool would be empty.
   */
  async run<T>(em: SqlEntityManager, work: () => Promise<T>, begins: Beginning = {}): Promise<T> {
    const connection = this.#connection;
    if (em.isInTransaction()) return this.#nested(em, work);
    await connection.ensureConnection();
    const events = new TransactionEventBroadcaster(em, { topLevelTransaction: true });
    return this.#holding(connection, begins.cancellation, async (held, waited) => {
      await events.dispatchEvent(EventType.beforeTransactionStart);
      const isolation = begins.isOneMoment === true ? 'repeatable read' : this.isolation;
      const context = await begun(held, isolation, begins.way);
      em.setTransactionContext(context);
      try {
        const limit = this.#waits.forLocks(waited);
        if (limit !== undefined) await context.executeQuery(rawQuery(limit));
        await enterSession(em.getSessionContext(), context);
        await events.dispatchEvent(EventType.afterTransactionStart, context);
        const result = await work();
        await em.flush();
        // What nobody waits for would come after the commit on its connection, without variables and role.
        em.resetTransactionContext();
        const commit = (): Promise<void> => connection.commit(context, events);
        await (begins.cancellation === undefined ? commit() : begins.cancellation.holdFor(commit));
        return result;
      } catch (error) {
        em.resetTransactionContext();
        const undone = await this.#undone(error, () => connection.rollback(context, events));
        em.getUnitOfWork().clearActionsQueue();
        throw undone;
      }
    });
  }

  /** Runs `work` on a connection of the pool, with the time for which the request has waited for connections, in milliseconds. */
  #holding<T>(
    connection: AbstractSqlConnection,
    cancellation: Cancellation | undefined,
    work: (held: Kysely<unknown>, waited: number) => Promise<T>,
  ): Promise<T> {
    const before = cancellation?.waited ?? 0;
    const asked = performance.now() - before;
    const run = (held: Kysely<unknown>): Promise<T> => {
      const waited = performance.now() - asked;
      cancellation?.keepWait(waited);
      return this.#waits.around(held, waited, () => work(held, waited));
    };
    const limit = before === 0 ? undefined : this.#waits.forConnection(before);
    const taken = connection.getClient().connection();
    return limit === undefined ? taken.execute(run) : runWithin(limit, taken, run);
  }

  /** A part of a transaction, of which MikroORM's subscribers hear, and which writes what the entity manager was left. */
  async #nested<T>(em: SqlEntityManager, work: () => Promise<T>): Promise<T> {
    const flushed = async (): Promise<T> => {
      const result = await work();
      await em.flush();
      return result;
    };
    try {
      return await this.part(em, flushed, new TransactionEventBroadcaster(em));
    } catch (error) {
      em.getUnitOfWork().clear();
      throw error;
    }
  }

  /** Runs `work` in a part of the open transaction that is undone without the rest. It leaves entities alone. */
  async part<T>(
    em: SqlEntityManager,
    work: () => Promise<T>,
    events?: TransactionEventBroadcaster,
  ): Promise<T> {
    const connection = this.#connection;
    const outer = em.getTransactionContext<KyselyTransaction>();
    const inner = await connection.begin({
      ctx: outer as never,
      ...(events && { eventBroadcaster: events }),
    });
    keepLeaseOf(inner as KyselyTransaction, outer);
    em.setTransactionContext(inner);
    try {
      const result = await work();
      await connection.commit(inner, events);
      return result;
    } catch (error) {
      throw await this.#undone(error, () => connection.rollback(inner, events));
    } finally {
      em.setTransactionContext(outer);
    }
  }

  /** Gives the error to throw after the rollback. One that fails means that the connection is lost, or its transaction. */
  async #undone(error: unknown, rollback: () => Promise<void>): Promise<unknown> {
    try {
      await rollback();
      return error;
    } catch (failure) {
      const message = `A transaction could not be rolled back: ${loggable(failure).reason}`;
      this.config.getLogger().warn('query', message, { enabled: true });
      return new ServiceUnavailable({ cause: error });
    }
  }

  /** Entity managers of requests let theirs out of no transaction. */
  get #connection(): AbstractSqlConnection {
    return this.config.getDriver().getConnection('write') as AbstractSqlConnection;
  }
}

/**
 * Runs `work` on a connection that is there in time; one that comes later goes back.
 *
 * @param limit in milliseconds
 * @throws NoConnection
 */
function runWithin<T>(
  limit: number,
  taken: ReturnType<Kysely<unknown>['connection']>,
  work: (held: Kysely<unknown>) => Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const time = new TimeLimit(limit, reject);
    taken
      .execute(async (held) => {
        time.end();
        if (!time.isOver) return { result: await work(held) };
        return undefined;
      })
      .finally(() => {
        time.end();
      })
      .then((done) => {
        if (done !== undefined) resolve(done.result);
      }, reject);
  });
}

/** Begins a transaction. With PostgreSQL it begins when something is first asked in it. */
async function begun(
  held: Kysely<unknown>,
  isolation: IsolationLevel | undefined,
  way: NativeWay | undefined,
): Promise<KyselyTransaction> {
  const lease = await leaseOf(held);
  if (lease !== undefined) lease.isHeld = true;
  const beginning = held.startTransaction();
  try {
    const transaction = await (
      isolation === undefined ? beginning : beginning.setIsolationLevel(isolation)
    ).execute();
    keepLease(transaction, lease, way);
    return transaction;
  } catch (error) {
    throw lostConnectionOr(error);
  }
}
