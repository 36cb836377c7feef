import type { EntityMetadata } from '@mikro-orm/core';
import { Failure, ServiceUnavailable, type Refusal } from '../wire/refusals.js';
import { databaseReason } from './database.error.js';
import type { Database, RequestEntityManager } from './database.js';
import type { NativePool } from './pool/native.pool.js';
import { restrictionsOf, unrestricted } from './restriction.js';
import type { Row } from './row.writer.js';
import type { Restrictions, Statement, StatementInputs } from './sql/statement.js';

/** What one request reads and writes through. Nothing of MikroORM is made before something asks for it. */
export class Session {
  #em: RequestEntityManager | undefined;

  /** @param pool runs the statements that need no transaction; without it all of them are MikroORM's */
  constructor(
    private readonly database: Database,
    private readonly pool?: NativePool,
  ) {}

  /** The request's own entity manager: an empty identity map, and the transaction of the request if there is one. */
  get em(): RequestEntityManager {
    this.#em ??= this.database.fork();
    return this.#em;
  }

  /** Sends a statement that reads: within the transaction of the request, if there is one. */
  async run(statement: Statement, inputs: StatementInputs): Promise<readonly Row[]> {
    try {
      return await this.#sent(statement, inputs);
    } catch (error) {
      throw refusalOfRead(error) ?? error;
    }
  }

  /** Sends a statement that stands alone and writes; what the database says against its values is for the caller. */
  async write(statement: Statement, inputs: StatementInputs): Promise<readonly Row[]> {
    try {
      return await this.#sent(statement, inputs);
    } catch (error) {
      throw isConnectionLost(error) ? new ServiceUnavailable({ cause: error }) : error;
    }
  }

  /** What MikroORM's filters let the request see of these entities. */
  restrictionsOf(entities: ReadonlySet<EntityMetadata>): Restrictions | Promise<Restrictions> {
    if (this.#em !== undefined) return restrictionsOf(this.em, entities);
    const restricts = this.database.restricts(entities);
    if (restricts === false) return unrestricted;
    return this.#restrictionsOf(entities, restricts);
  }

  async #restrictionsOf(
    entities: ReadonlySet<EntityMetadata>,
    restricts: true | Promise<boolean>,
  ): Promise<Restrictions> {
    return (await restricts) ? restrictionsOf(this.em, entities) : unrestricted;
  }

  /** Runs `work` in one transaction: kept when it succeeds, undone when it throws. */
  transaction<T>(work: () => Promise<T>): Promise<T> {
    return this.database.transaction(this.em, work);
  }

  #sent(statement: Statement, inputs: StatementInputs): Promise<readonly Row[]> {
    const isPooled = !statement.needsDriver && this.#em?.isInTransaction() !== true;
    if (isPooled && this.pool !== undefined) return this.pool.run(statement, inputs);
    return this.database.run(this.em, statement, inputs);
  }
}

/** Columns have accepted every value of a read, so one that the database refuses came from the service's own code. */
function refusalOfRead(error: unknown): Refusal | undefined {
  if (isConnectionLost(error)) return new ServiceUnavailable({ cause: error });
  return databaseReason(error) === 'rule' ? new Failure({ cause: error }) : undefined;
}

/** Errors of a database have a code; a driver that has none to give has lost the connection. */
function isConnectionLost(error: unknown): boolean {
  const isDefect = error instanceof TypeError || error instanceof RangeError;
  return error instanceof Error && !isDefect && Reflect.get(error, 'code') === undefined;
}
