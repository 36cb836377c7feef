import { isDatabaseError, type DatabaseError } from '../database/database.error.js';
import type { ForgivingSession } from '../database/session.js';
import type { SqlStatement } from '../gate/sql.statement.js';
import { MigrationFailure } from '../migration.failure.js';
import { checkBody } from './function.body.js';

/** A statement that did not work, and why. */
interface Refused {
  readonly statement: SqlStatement;
  readonly error: DatabaseError;
  /** The number of characters sent that are not the statement's. */
  readonly added?: number;
}

/**
 * Makes an empty database the target. The statements may stand in any order: one that does not work yet is tried again
 * after the others, as long as that helps. Privileges come last, because `all tables` means those that are there.
 *
 * @throws MigrationFailure with a line `file:line:column: …` for every statement that does not work
 */
export async function loadTarget(
  session: ForgivingSession,
  statements: readonly SqlStatement[],
): Promise<void> {
  const isGrant = ({ node }: SqlStatement): boolean => 'GrantStmt' in node;
  const rest = await rounds(
    session,
    statements.filter((statement) => !isGrant(statement)),
    execute,
  );
  // Functions that call each other pass only unchecked; then all are there, and each can be judged.
  const refused = await rounds(
    session,
    rest.map(({ statement }) => statement),
    executeUnchecked,
  );
  const bodies = await wrongBodies(session, rest, refused);
  const grants = await rounds(session, statements.filter(isGrant), execute);
  const problems = [...refused, ...bodies, ...grants];
  if (problems.length > 0) throw new MigrationFailure(inOrder(statements, problems).map(lineOf));
}

type Execute = (session: ForgivingSession, statement: SqlStatement) => Promise<void>;

/** Runs statements until no further one works. */
async function rounds(
  session: ForgivingSession,
  statements: readonly SqlStatement[],
  run: Execute,
): Promise<readonly Refused[]> {
  let left = statements;
  for (;;) {
    const refused: Refused[] = [];
    for (const statement of left)
      try {
        await session.attempt(() => run(session, statement));
      } catch (error) {
        if (!isDatabaseError(error)) throw error;
        refused.push({ statement, error });
      }
    if (refused.length === left.length) return refused;
    left = refused.map(({ statement }) => statement);
  }
}

const execute: Execute = async (session, { text }) => {
  await session.query(text);
};

const executeUnchecked: Execute = async (session, { text }) => {
  await session.query(`select set_config('check_function_bodies', 'off', false)`);
  await session.query(text);
};

/** The functions that only passed unchecked and are wrong all the same. */
async function wrongBodies(
  session: ForgivingSession,
  suspects: readonly Refused[],
  refused: readonly Refused[],
): Promise<readonly Refused[]> {
  if (suspects.length === 0) return [];
  await session.query(`select set_config('check_function_bodies', 'on', false)`);
  const wrong: Refused[] = [];
  const failed = new Set(refused.map(({ statement }) => statement));
  for (const { statement } of suspects) {
    if (!('CreateFunctionStmt' in statement.node) || failed.has(statement)) continue;
    const problem = await checkBody(session, statement);
    if (problem !== undefined) wrong.push({ statement, ...problem });
  }
  return wrong;
}

function inOrder(statements: readonly SqlStatement[], problems: readonly Refused[]): readonly Refused[] {
  const places = new Map(statements.map((statement, place) => [statement, place]));
  const placeOf = ({ statement }: Refused): number => places.get(statement) ?? 0;
  return problems.toSorted((a, b) => placeOf(a) - placeOf(b));
}

function lineOf({ statement, error, added = 0 }: Refused): string {
  const position = error.position === undefined ? 1 : Number(error.position) - added;
  const details = [error.detail, error.hint].filter((text) => text !== undefined && text !== '');
  return [`${statement.at(Math.max(0, position - 1))}: ${error.message}`, ...details].join('; ');
}
