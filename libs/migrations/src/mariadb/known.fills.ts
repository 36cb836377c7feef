import type { Session } from '../database/session.js';
import { MigrationFailure } from '../migration.failure.js';
import { unknownFills } from '../safety/unknown.fills.js';

/**
 * Looks if the names of fills are misspelt, in the target that the session shows.
 *
 * @throws MigrationFailure with a line for each that it has not, and what may have been meant
 */
export async function checkFills(session: Session, fills: Iterable<string>): Promise<void> {
  const wanted = [...fills];
  if (wanted.length === 0) return;
  const rows = await session.query(
    'select table_name as `table`, column_name as `column` from information_schema.columns where table_schema = database() order by 1, ordinal_position',
  );
  const tables = new Map<string, string[]>();
  for (const row of rows) {
    const table = String(row['table']);
    tables.set(table, [...(tables.get(table) ?? []), String(row['column'])]);
  }
  // A schema is a database of its own, so that no name tells one.
  const problems = unknownFills(wanted, new Map([['', tables]]), '');
  if (problems.length > 0) throw new MigrationFailure(problems);
}
