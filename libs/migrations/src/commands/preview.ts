import type { ForgivingSession } from '../database/session.js';
import { told } from '../database/told.refusals.js';
import type { TargetDatabase } from '../database/target.database.js';
import { renameFirst } from '../safety/renames.js';
import type { CommandRules } from './command.context.js';

/** Takes a transaction back after a look. */
class Undone extends Error {}

/**
 * Looks at the database as it is after the pending renames, which are undone. Without renames the database itself refuses
 * to write meanwhile. With a pending one its table is locked for the time of the look.
 *
 * @throws MigrationFailure
 */
export async function preview<T>(
  database: TargetDatabase,
  { renames, lockTimeout, schema }: CommandRules,
  work: (session: ForgivingSession, renamed: readonly string[]) => Promise<T>,
): Promise<T> {
  const looked = async (session: ForgivingSession): Promise<T> => {
    await session.query(`select set_config('lock_timeout', $1, true)`, [String(lockTimeout)]);
    return work(session, await renameFirst(session, renames, schema));
  };
  if (renames.length === 0)
    return database.transaction((session) => told(() => looked(session)), { readOnly: true });
  const undone = new Undone();
  let result: { readonly value: T } | undefined;
  try {
    await database.transaction(async (session) => {
      result = { value: await told(() => looked(session)) };
      throw undone;
    });
  } catch (error) {
    if (error !== undone || result === undefined) throw error;
  }
  if (result === undefined) throw undone;
  return result.value;
}
