import type { AbstractSqlDriver } from '@mikro-orm/sql';
import { ConnectionFailure, NoConnection } from './connection.failure.js';
import { databaseCode, isDefect } from './database.error.js';

/**
 * MikroORM makes an error of its own from whatever fails, and forgets what that was; where a transaction begins it leaves
 * errors as the pool has them. Both would look like any other error: from now on they tell of lost connections.
 */
export function keepCauses(driver: AbstractSqlDriver): void {
  const convert = driver.convertException.bind(driver);
  driver.convertException = (error) => {
    const converted = convert(error);
    if (converted !== error) converted.cause ??= error;
    return converted;
  };
  const connection = driver.getConnection('write');
  const begin = connection.begin.bind(connection);
  connection.begin = (options) =>
    begin(options).catch((error: unknown) => {
      const isKnown =
        error instanceof ConnectionFailure || databaseCode(error) !== undefined || isDefect(error);
      throw isKnown ? error : new NoConnection(error);
    });
}
