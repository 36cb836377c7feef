import type { AbstractSqlDriver } from '@mikro-orm/sql';
import { NoConnection } from './connection.failure.js';
import { connectionsOf } from './connection.statements.js';
import { isConnectionLost, lostConnectionOr } from './database.error.js';

/** The methods of MikroORM's connections by which statements and transactions are sent. */
interface Sending {
  executeQuery(query: string, send: () => Promise<unknown>, context: unknown): Promise<unknown>;
  stream(...query: readonly unknown[]): AsyncIterable<unknown>;
  begin(options?: object): Promise<unknown>;
}

/**
 * Makes a failed connection say so itself. MikroORM makes an error of its own from any failure and drops the cause; where
 * a transaction begins it leaves errors as the pool has them.
 */
export function keepCauses(driver: AbstractSqlDriver): void {
  const convert = driver.convertException.bind(driver);
  driver.convertException = (error) => {
    const converted = convert(error);
    // It has taken over what the error has, its cause too.
    if (converted !== error) converted.cause = error;
    return converted;
  };
  for (const connection of connectionsOf(driver)) tellLoss(connection as unknown as Sending);
}

function tellLoss(connection: Sending): void {
  const executeQuery = connection.executeQuery.bind(connection);
  connection.executeQuery = async (query, send, context) => {
    try {
      return await executeQuery(query, send, context);
    } catch (error) {
      throw lostConnectionOr(error);
    }
  };
  const stream = connection.stream.bind(connection);
  connection.stream = async function* (...query) {
    try {
      yield* stream(...query);
    } catch (error) {
      throw lostConnectionOr(error);
    }
  };
  const begin = connection.begin.bind(connection);
  connection.begin = async (options) => {
    try {
      return await begin(options);
    } catch (error) {
      throw isConnectionLost(error) ? new NoConnection(error) : error;
    }
  };
}
