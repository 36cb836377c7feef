import { isDatabaseError, type DatabaseError } from '../database/database.error.js';
import type { ForgivingSession } from '../database/session.js';
import type { SqlStatement } from '../gate/sql.statement.js';

/** Why a function that is there does not work; undefined when it does. */
export async function checkBody(
  session: ForgivingSession,
  { text }: SqlStatement,
): Promise<DatabaseError | undefined> {
  // Replacing a function by itself checks its body, now that everything it may call is there.
  const replacing = text.replace(/^(\s*create\s+)(?!or\s+replace)/i, '$1or replace ');
  try {
    await session.attempt(() => session.query(replacing));
    return undefined;
  } catch (error) {
    if (isDatabaseError(error)) return error;
    throw error;
  }
}
