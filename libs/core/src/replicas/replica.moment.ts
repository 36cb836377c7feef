import type { Database } from '../database/database.js';
import type { KyselyTransaction } from '../database/kysely.types.js';
import type { Cancellation } from '../limits/cancellation.js';
import type { Row } from '../sql/row.layout.js';
import type { Statement, StatementInputs } from '../sql/statement.js';
import { LeftReplica, statementFailure } from './replica.failure.js';
import type { Replica } from './replica.js';

/** A transaction on a replica, all of whose reads see the records of one moment. */
export class ReplicaMoment {
  private constructor(
    private readonly database: Database,
    private readonly replica: Replica,
    private readonly transaction: KyselyTransaction,
    private readonly cancellation: Cancellation | undefined,
  ) {}

  static async begin(
    database: Database,
    replica: Replica,
    cancellation: Cancellation | undefined,
  ): Promise<ReplicaMoment> {
    const client = replica.connection.getClient();
    const begun = client
      .startTransaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute();
    try {
      return new ReplicaMoment(database, replica, await replica.run(() => begun), cancellation);
    } catch (error) {
      // One that begins after all keeps no connection. How it ends matters to nobody: nothing was written.
      begun.then((late) => late.rollback().execute()).catch(() => undefined);
      throw error;
    }
  }

  /** @throws LeftReplica where the replica cannot answer any more */
  async read(statement: Statement, inputs: StatementInputs): Promise<readonly Row[]> {
    const { database, replica, transaction, cancellation } = this;
    const { losses } = replica;
    try {
      return await replica.run(() =>
        database.kysely.run(transaction, statement, inputs, cancellation?.signal),
      );
    } catch (error) {
      const failure = statementFailure(error);
      if (failure === 'lost') replica.lost(error, losses);
      throw failure === undefined ? error : new LeftReplica({ cause: error });
    }
  }

  async end(): Promise<void> {
    // Nothing was written: how it ends matters to nobody.
    await this.transaction
      .rollback()
      .execute()
      .catch(() => undefined);
  }
}
