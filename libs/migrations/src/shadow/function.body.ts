import { isDatabaseError, type DatabaseError } from '../database/database.error.js';
import type { ForgivingSession } from '../database/session.js';
import type { SqlStatement } from '../gate/sql.statement.js';

const replacing = 'or replace ';

/**
 * Finds the defect of an existing function, and the number of characters that were put before its place; undefined when
 * it works.
 */
export async function checkBody(
  session: ForgivingSession,
  { text, node }: SqlStatement,
): Promise<{ readonly error: DatabaseError; readonly added: number } | undefined> {
  // Replacing a function by itself checks its body, now that everything it may call is there.
  const replaces = 'CreateFunctionStmt' in node && node.CreateFunctionStmt.replace === true;
  const replacement = replaces ? text : text.replace(/^\s*create\s/i, `$&${replacing}`);
  try {
    await session.attempt(() => session.query(replacement));
    return undefined;
  } catch (error) {
    if (isDatabaseError(error)) return { error, added: replacement.length - text.length };
    throw error;
  }
}
