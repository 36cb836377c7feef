import { MigrationFailure } from '../migration.failure.js';
import { isDatabaseError } from './database.error.js';

/**
 * Runs work of a transaction, and tells what the database refuses: in words of its own, but without the values that it may
 * quote in details.
 *
 * @param sql the statement, where there is one that somebody knows
 * @throws MigrationFailure
 */
export async function told<T>(work: () => Promise<T>, sql?: string): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isDatabaseError(error)) throw error;
    const at = sql === undefined ? [] : [`in: ${sql}`];
    throw new MigrationFailure([`nothing was changed: ${error.message}`, ...at], { cause: error });
  }
}
