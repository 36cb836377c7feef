import type { NativePool } from '../database/pool/native.pool.js';
import type { OwnEm } from '../database/own.em.js';
import type { Row } from '../sql/row.layout.js';
import type { Statement, StatementInputs } from '../sql/statement.js';
import { findFailure, statementFailure } from './replica.failure.js';
import type { Replica } from './replica.js';
import type { ReadSource } from './read.source.js';

/** The facts that finds of MikroORM's need, so that they ask where the request reads. */
export interface FindSource {
  readonly connectionType?: 'read';
}

/** The way of an endpoint's reads to a replica. */
export class ReplicaWay {
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
    // A replica has neither the transaction of a request nor what it wrote, and policies need a transaction.
    if (!this.own.standsAlone) return send();
    return this.reads.ask((replica) => this.#sentTo(replica, statement, inputs), send, statementFailure);
  }

  /** Runs finds of MikroORM's that read for the endpoint. */
  find<T>(work: (options: FindSource) => Promise<T>): Promise<T> {
    if (!this.own.standsAlone) return work({});
    return this.reads.ask(
      (replica) => replica.run(() => work({ connectionType: 'read' })),
      () => work({}),
      findFailure,
    );
  }

  #sentTo(replica: Replica, statement: Statement, inputs: StatementInputs): Promise<readonly Row[]> {
    const { pool, own } = this;
    if (pool === undefined || statement.needsDriver)
      return replica.run(() => own.database.runOn(replica.connection, statement, inputs));
    return replica.poolLike(pool).run(statement, inputs, own.cancellation);
  }
}
