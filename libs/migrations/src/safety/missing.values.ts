import { isDatabaseError, sqlStates } from '../database/database.error.js';
import { quoteIdentifier, quoteTable } from '../database/quoting.js';
import type { ForgivingSession } from '../database/session.js';
import type { RequiredColumn } from '../diff/schema.diff.tool.js';
import { fillName } from './fills.js';

/** Finds the columns that rows have no value for: those of a new column all lack one. */
export async function columnsWithoutValues(
  session: ForgivingSession,
  columns: readonly RequiredColumn[],
): Promise<readonly RequiredColumn[]> {
  const found: RequiredColumn[] = [];
  for (const column of columns) if (await lacksValues(session, column)) found.push(column);
  return found;
}

/** Lists the columns that become required while rows have no value for them; empty when there are none. */
export function missingFills(columns: readonly RequiredColumn[], own?: string): readonly string[] {
  if (columns.length === 0) return [];
  return [
    'this is not applied, because rows that are there have no value for these columns, which are required:',
    ...columns.map((column) => `  column ${fillName(column, '')}`),
    'say in the option fills what these rows get, an SQL expression for each column:',
    ...columns.map((column) => `  '${fillName(column, own)}': '…'`),
  ];
}

async function lacksValues(
  session: ForgivingSession,
  { schema, table, column, isNew }: RequiredColumn,
): Promise<boolean> {
  const rows = isNew ? '' : ` where ${quoteIdentifier(column)} is null`;
  const question = `select exists (select from ${quoteTable(schema, table)}${rows}) as yes`;
  try {
    const [row] = await session.attempt(() => session.query(question));
    return row?.['yes'] === true;
  } catch (error) {
    // Who may not look may not change the table either: the statement that does says so.
    if (isDatabaseError(error) && error.code === sqlStates.insufficientPrivilege) return false;
    throw error;
  }
}
