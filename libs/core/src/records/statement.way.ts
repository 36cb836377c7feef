import type { NativePool } from './pool/native.pool.js';
import type { OwnEm } from './own.em.js';
import { findFailure, statementFailure } from './replicas/replica.failure.js';
import type { Replica } from './replicas/replica.js';
import type { ReadSource } from './replicas/read.source.js';
import type { Row } from './row.writer.js';
import type { Statement, StatementInputs } from './sql/statement.js';

/**
 * How the statements of a request reach the database: within its transaction where there is one; else those that stand
 * alone past MikroORM where that is possible, and what the endpoint reads from a replica where there are replicas.
 */
export class StatementWay {
  /**
   * @param pool runs the statements that need no transaction; without it all of them are MikroORM's
   * @param reads where the records of an endpoint that only reads are; undefined for the primary
   */
  constructor(
    private readonly own: OwnEm,
    private readonly pool: NativePool | undefined,
    private readonly reads: ReadSource | undefined,
  ) {}

  /** Sends a statement to the primary. */
  send(statement: Statement, inputs: StatementInputs): Promise<readonly Row[]> {
    const { own, pool } = this;
    if (own.whole !== undefined) return this.#entered(statement, inputs);
    if (pool !== undefined && !statement.needsDriver && !own.hasSessionContext && !own.isInTransaction)
      return this.#pooled(pool, statement, inputs);
    return own.database.run(own.em, statement, inputs);
  }

  /** Sends a statement that reads for the endpoint. */
  read(statement: Statement, inputs: StatementInputs): Promise<readonly Row[]> {
    const { reads } = this;
    if (!this.#mayAskReplica(reads)) return this.send(statement, inputs);
    return reads.ask(
      (replica) => this.#sentTo(replica, statement, inputs),
      () => this.send(statement, inputs),
      statementFailure,
    );
  }

  /** Runs finds of MikroORM's that read for the endpoint. */
  find<T>(work: (options: FindSource) => Promise<T>): Promise<T> {
    const { reads } = this;
    if (!this.#mayAskReplica(reads)) return work({});
    return reads.ask(
      (replica) => replica.run(() => work({ connectionType: 'read' })),
      () => work({}),
      findFailure,
    );
  }

  /** A replica has neither the transaction of a request nor what it wrote, and policies need a transaction. */
  #mayAskReplica(reads: ReadSource | undefined): reads is ReadSource {
    const { own } = this;
    if (reads?.isForEndpoint !== true) return false;
    return own.whole === undefined && !own.isInTransaction && !own.hasSessionContext;
  }

  async #entered(statement: Statement, inputs: StatementInputs): Promise<readonly Row[]> {
    const { own } = this;
    await own.enter();
    return own.database.run(own.em, statement, inputs);
  }

  #sentTo(replica: Replica, statement: Statement, inputs: StatementInputs): Promise<readonly Row[]> {
    const { pool, own } = this;
    if (pool === undefined || statement.needsDriver)
      return replica.run(() => own.database.runOn(replica.connection, statement, inputs));
    return this.#pooled(replica.poolLike(pool), statement, inputs);
  }

  #pooled(pool: NativePool, statement: Statement, inputs: StatementInputs): Promise<readonly Row[]> {
    const { database, cancellation } = this.own;
    return database.isObserved
      ? database.sent(() => pool.run(statement, inputs, cancellation))
      : pool.run(statement, inputs, cancellation);
  }
}

/** What finds of MikroORM's must be told, so that they ask where the request reads. */
export interface FindSource {
  readonly connectionType?: 'read';
}
