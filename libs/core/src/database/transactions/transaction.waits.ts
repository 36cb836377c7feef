import type { Configuration } from '@mikro-orm/core';
import type { Kysely } from '@mikro-orm/sql';
import { loggable } from '../errors/database.error.js';
import { lockLimits, patienceOf } from '../mysql/mysql.patience.js';
import { rawQuery } from '../raw.query.js';
import { connectionPatience, lockPatience, rest } from './lock.patience.js';

/** The limits of the waits of transactions: what a request has waited before counts. */
export class TransactionWaits {
  constructor(private readonly config: Configuration) {}

  /** The limit of the wait for a connection; undefined where there is none. All in milliseconds. */
  forConnection(before: number): number | undefined {
    const patience = this.#ofMySql;
    return patience === undefined
      ? connectionPatience(this.#options, before)
      : rest(patience.poolWait, before);
  }

  /**
   * The statement by which a transaction of PostgreSQL waits no longer for locks; undefined where its connection's settings will do.
   *
   * @param waited in milliseconds
   */
  forLocks(waited: number): string | undefined {
    const patience = lockPatience(this.#options, waited);
    return patience === undefined ? undefined : `set local lock_timeout = ${patience}`;
  }

  /**
   * Runs `work` on a connection of MariaDB that waits no longer for locks meanwhile: there is no setting of a transaction. One that
   * did not get its own limits back has ended.
   *
   * @param waited in milliseconds
   */
  async around<T>(held: Kysely<unknown>, waited: number, work: () => Promise<T>): Promise<T> {
    const limits = lockLimits(this.#ofMySql, waited);
    if (limits === undefined) return work();
    const [limit, own] = limits;
    await held.executeQuery(rawQuery(limit));
    try {
      return await work();
    } finally {
      await this.#giveBack(held, own);
    }
  }

  async #giveBack(held: Kysely<unknown>, own: string): Promise<void> {
    try {
      await held.executeQuery(rawQuery(own));
    } catch (error) {
      const message = `A connection could not be given its own limits again: ${loggable(error).reason}`;
      this.config.getLogger().warn('query', message, { enabled: true });
    }
  }

  get #ofMySql(): ReturnType<typeof patienceOf> {
    return patienceOf(this.config.getAll().onCreateConnection);
  }

  get #options(): unknown {
    return this.config.get('driverOptions');
  }
}
