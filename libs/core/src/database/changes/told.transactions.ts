import type { EventSubscriber, TransactionEventArgs } from '@mikro-orm/core';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { originSettings, unknownOrigin } from '../../sql/changes/change.origin.js';
import type { KyselyTransaction } from '../kysely.types.js';
import { rawQuery } from '../raw.query.js';
import { settingText } from '../transactions/session.text.js';
import { violationOf } from '../errors/database.error.js';
import type { ChangeLog } from './change.log.js';
import { unwrittenLog } from './unwritten.log.js';

/**
 * The subscriber that tells triggers who changes something: each transaction of a request begins with it, and with whatever
 * another request of the same transaction writes it is told anew. Some SQL of a service is attributed by it, too.
 */
export class ToldTransactions implements EventSubscriber {
  /** The settings of transactions, as they were told last. */
  readonly #known = new WeakMap<object, string>();

  constructor(private readonly changes: ChangeLog) {}

  async afterTransactionStart(begun: TransactionEventArgs): Promise<void> {
    const transaction = begun.transaction as KyselyTransaction | undefined;
    if (transaction !== undefined && this.changes.origin !== unknownOrigin) await this.#set(transaction);
  }

  /** Runs a write that triggers record, once the transaction of its entity manager was told whose it is. */
  async around<T>(em: SqlEntityManager, write: () => Promise<T>): Promise<T> {
    const transaction = em.getTransactionContext<KyselyTransaction>();
    if (transaction !== undefined) await this.#set(transaction);
    try {
      return await write();
    } catch (error) {
      throw violationOf(error).table === this.changes.meta.tableName ? unwrittenLog(error) : error;
    }
  }

  /** Has a transaction told anew by whoever writes in it next: a statement brings settings of its own. */
  forget(transaction: object): void {
    this.#known.delete(transaction);
  }

  async #set(transaction: KyselyTransaction): Promise<void> {
    const settings = originSettings(this.changes.origin).flat();
    const text = JSON.stringify(settings);
    if (this.#known.get(transaction) === text) return;
    await transaction.executeQuery(rawQuery(settingText(settings.length / 2), settings));
    this.#known.set(transaction, text);
  }
}
