import type { SessionContext } from '@mikro-orm/core';
import type { AbstractSqlConnection } from '@mikro-orm/sql';
import type { Cancellation } from '../../limits/cancellation.js';
import type { Row } from '../../sql/row.layout.js';
import type { Statement, StatementInputs } from '../../sql/statement.js';
import type { WithinSender } from '../lease/transaction.lease.js';

/** The longest text that is prepared, in characters: a server keeps many times as much for each, and clients choose searches. */
export const longestPrepared = 8000;

/**
 * MikroORM's own pool of a driver's connections, used without MikroORM in between: for statements that stand alone. The
 * pools of each sort of driver are a class of their own.
 */
export interface NativePool {
  /** The sender of statements within transactions; undefined where these are Kysely's. */
  readonly inTransactions: WithinSender | undefined;

  /**
   * Makes one that sends statements in the same way on another connection.
   *
   * @param limit how long a statement may take with the wait for a connection, in milliseconds
   */
  on(connection: AbstractSqlConnection, limit: number): NativePool;

  /**
   * Sends a statement, whose rows come as MikroORM's driver would give them to Kysely, or as text.
   *
   * @param cancellation ends the statement when nobody waits for it any more
   * @param session the variables and the role of row level security, which hold for this statement alone
   */
  run(
    statement: Statement,
    inputs: StatementInputs,
    cancellation?: Cancellation,
    session?: SessionContext,
  ): Promise<readonly Row[]>;
}

/** The way in which a pool sends statements. */
export interface PoolUse {
  /** True if statements are prepared, once per connection. */
  readonly prepares: boolean;
  /** True if quick reads share messages, where the protocol of the database lets them. */
  readonly gathers: boolean;
}
