import { quoteTable } from '../database/quoting.js';
import type { Session } from '../database/session.js';

/** Keeps tables to itself until the transaction ends, so that nobody writes a value after it was looked at. */
export async function lockTables(
  session: Session,
  columns: readonly { readonly schema: string; readonly table: string }[],
): Promise<void> {
  const tables = new Set(columns.map(({ schema, table }) => quoteTable(schema, table)));
  for (const table of [...tables].sort()) await session.query(`lock table ${table} in access exclusive mode`);
}
