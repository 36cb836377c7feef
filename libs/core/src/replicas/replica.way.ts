import type { NativePool } from '../database/pool/native.pool.js';
import type { OwnEm } from '../database/own.em.js';
import type { Row } from '../sql/row.layout.js';
import type { Statement, StatementInputs } from '../sql/statement.js';
import { findFailure, LeftReplica, statementFailure } from './replica.failure.js';
import type { Replica } from './replica.js';
import { ReplicaMoment } from './replica.moment.js';
import type { ReadSource } from './read.source.js';

/** The facts that finds of MikroORM's need, so that they ask where the request reads. */
export interface FindSource {
  readonly connectionType?: 'read';
}

/** The way of an endpoint's reads to a replica. */
export class ReplicaWay {
  #moment: ReplicaMoment | undefined;

  constructor(
    private readonly own: OwnEm,
    private readonly pool: NativePool | undefined,
    private readonly reads: ReadSource,
  ) {}

  /** Sends a statement that reads for the endpoint. @param send sends it to the primary */
  read(
    statement: Statement,
    inputs: StatementInputs,
    send: () => Promise<readonly Row[]>,
  ): Promise<readonly Row[]> {
    if (this.#moment !== undefined) return this.#readThen(this.#moment, statement, inputs);
    // A replica has neither the transaction of a request nor what it wrote, and policies need a transaction.
    if (!this.own.standsAlone()) return send();
    return this.reads.ask((replica) => this.#sentTo(replica, statement, inputs), send, statementFailure);
  }

  /** Runs finds of MikroORM's that read for the endpoint. */
  find<T>(work: (options: FindSource) => Promise<T>): Promise<T> {
    if (!this.own.standsAlone()) return work({});
    return this.reads.ask(
      (replica) => replica.run(() => work({ connectionType: 'read' })),
      () => work({}),
      findFailure,
    );
  }

  /**
   * Runs reads that see the records of one moment in a transaction of a replica, else as `onPrimary` does.
   * @throws LeftReplica where the replica fails meanwhile; the next time is one on the primary
   */
  async atOneMoment<T>(work: () => Promise<T>, onPrimary: () => Promise<T>): Promise<T> {
    const { database, cancellation } = this.own;
    const moment =
      this.own.standsAlone() && database.dialect.hasCatalogue
        ? await this.reads.ask(
            (replica) => ReplicaMoment.begin(database, replica, cancellation),
            () => Promise.resolve(undefined),
            statementFailure,
          )
        : undefined;
    if (moment === undefined) return onPrimary();
    this.#moment = moment;
    try {
      return await work();
    } finally {
      this.#moment = undefined;
      await moment.end();
    }
  }

  async #readThen(
    moment: ReplicaMoment,
    statement: Statement,
    inputs: StatementInputs,
  ): Promise<readonly Row[]> {
    // Rules have asked the primary meanwhile: what they let see may be newer than the replica.
    if (this.reads.replica === undefined) throw new LeftReplica({ cause: undefined });
    try {
      return await moment.read(statement, inputs);
    } catch (error) {
      if (error instanceof LeftReplica) this.reads.leave();
      throw error;
    }
  }

  #sentTo(replica: Replica, statement: Statement, inputs: StatementInputs): Promise<readonly Row[]> {
    const { pool, own } = this;
    if (pool === undefined || statement.needsDriver)
      return replica.run(() => {
        const client = replica.connection.getClient();
        return own.database.kysely.runAlone(client, statement, inputs, own.cancellation?.signal);
      });
    return replica.poolLike(pool).run(statement, inputs, own.cancellation);
  }
}
