import { isDatabaseError } from '../database/database.error.js';
import { quoteIdentifier, quoteTable } from '../database/quoting.js';
import type { ForgivingSession } from '../database/session.js';
import type { RetypedColumn } from '../diff/schema.diff.tool.js';

/** Types that take a text as it stands or refuse it: nothing of a value gets lost in them. */
const exactTypes: ReadonlySet<string> = new Set(['json', 'jsonb']);

/**
 * Finds the existing values that a new type would change, e.g. `3 values of column public.t.a (text → integer)`.
 * PostgreSQL cuts and rounds in an explicit cast without a word, so every value is turned into the new type and back.
 */
export async function changedValues(
  session: ForgivingSession,
  columns: readonly RetypedColumn[],
): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const column of columns) {
    if (exactTypes.has(column.to)) continue;
    const what = `column ${column.schema}.${column.table}.${column.column} (${column.from} → ${column.to})`;
    const count = await countChanged(session, column);
    if (count === undefined) lines.push(`whatever of ${what} the new type cannot hold`);
    else if (count > 0n) lines.push(`${count === 1n ? '1 value' : `${String(count)} values`} of ${what}`);
  }
  return lines;
}

/** Counts the values that come back changed; undefined when that cannot be asked, because the new type is not there yet. */
async function countChanged(session: ForgivingSession, column: RetypedColumn): Promise<bigint | undefined> {
  const { schema, table, from, to } = column;
  const value = quoteIdentifier(column.column);
  const back = `((${value}::${to})::${from})`;
  // Types like json and point have no equality; their texts do.
  for (const comparison of [
    `${back} is distinct from ${value}`,
    `${back}::text is distinct from ${value}::text`,
  ])
    try {
      const [row] = await session.attempt(() =>
        session.query(
          `select count(*)::text as changed from ${quoteTable(schema, table)} where ${comparison}`,
        ),
      );
      return BigInt(row?.['changed'] as string);
    } catch (error) {
      if (!isDatabaseError(error)) throw error;
      // Class 22: a value that the new type refuses stops the migration itself, and nothing is lost.
      if (error.code.startsWith('22')) return 0n;
    }
  return undefined;
}
