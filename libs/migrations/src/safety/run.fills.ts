import { isDatabaseError, sqlStates, type DatabaseError } from '../database/database.error.js';
import { quoteIdentifier, quoteTable } from '../database/quoting.js';
import type { ForgivingSession } from '../database/session.js';
import { MigrationFailure } from '../migration.failure.js';
import { fillName, type Fill } from './fills.js';

/**
 * Gives rows their values, and answers the statements.
 *
 * @throws MigrationFailure with every fill that does not work, or that leaves a row without a value
 */
export async function runFills(
  session: ForgivingSession,
  fills: readonly Fill[],
): Promise<readonly string[]> {
  if (fills.length === 0) return [];
  const problems: string[] = [];
  const errors: DatabaseError[] = [];
  for (const fill of fills)
    try {
      await session.attempt(() => session.query(fill.sql));
      if (await isIncomplete(session, fill))
        problems.push(`the fill of '${fillName(fill.column)}' gives no value to some row`, `in: ${fill.sql}`);
    } catch (error) {
      if (!isDatabaseError(error)) throw error;
      errors.push(error);
      problems.push(error.message, `in: ${fill.sql}`);
    }
  if (problems.length > 0) throw failure(problems, errors);
  await checkConstraints(session);
  return fills.map(({ sql }) => sql);
}

async function isIncomplete(session: ForgivingSession, { column }: Fill): Promise<boolean> {
  const table = quoteTable(column.schema, column.table);
  const [row] = await session.query(
    `select exists (select from ${table} where ${quoteIdentifier(column.column)} is null) as yes`,
  );
  return row?.['yes'] === true;
}

/** A table with checks put off to the end of the transaction cannot be altered. */
async function checkConstraints(session: ForgivingSession): Promise<void> {
  try {
    await session.query('set constraints all immediate');
  } catch (error) {
    if (!isDatabaseError(error)) throw error;
    throw failure([error.message], [error]);
  }
}

function failure(
  [first = '', ...others]: readonly string[],
  errors: readonly DatabaseError[],
): MigrationFailure {
  // A label that is not committed yet is no defect of the fill: apply commits it and begins again.
  const cause = errors.find(({ code }) => code === sqlStates.unsafeNewEnumValue) ?? errors[0];
  return new MigrationFailure([`nothing was changed: ${first}`, ...others], { cause });
}
