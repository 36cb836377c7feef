import { EventType, TransactionEventBroadcaster, type Configuration } from '@mikro-orm/core';
import type { AbstractSqlConnection, Kysely, SqlEntityManager } from '@mikro-orm/sql';
import type { Cancellation } from '../../limits/cancellation.js';
import { ServiceUnavailable } from '../../wire/refusals.js';
import { loggable, lostConnectionOr } from '../errors/database.error.js';
import type { KyselyTransaction } from '../kysely.types.js';
import { leaseOf } from '../lease/leased.connections.js';
import { keepLease, keepLeaseOf, type NativeWay } from '../lease/transaction.lease.js';
import { lockPatience } from './lock.patience.js';
import { rawQuery } from '../raw.query.js';
import { enterSession } from './session.settings.js';

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
  constructor(private readonly config: Configuration) {}

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
    const asked = performance.now();
    return connection
      .getClient()
      .connection()
      .execute(async (held) => {
        const patience = lockPatience(this.config.get('driverOptions'), performance.now() - asked);
        await events.dispatchEvent(EventType.beforeTransactionStart);
        const context = await begun(held, begins);
        em.setTransactionContext(context);
        try {
          if (patience !== undefined)
            await context.executeQuery(rawQuery(`set local lock_timeout = ${patience}`));
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

/** Begins a transaction. With PostgreSQL it begins when something is first asked in it. */
async function begun(held: Kysely<unknown>, { isOneMoment, way }: Beginning): Promise<KyselyTransaction> {
  const lease = await leaseOf(held);
  if (lease !== undefined) lease.isPatient = true;
  const beginning = held.startTransaction();
  try {
    const transaction = await (
      isOneMoment === true ? beginning.setIsolationLevel('repeatable read') : beginning
    ).execute();
    keepLease(transaction, lease, way);
    return transaction;
  } catch (error) {
    throw lostConnectionOr(error);
  }
}
