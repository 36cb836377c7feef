import { quoteIdentifier, quoteTable } from '../database/quoting.js';
import type { ForgivingSession } from '../database/session.js';

/** A table or a column that has a new name in the target schema. */
export interface Rename {
  /** Default `public`, and the schema of each tenant. */
  readonly schema?: string;
  /** The table's name before; with `column` its name now. */
  readonly table: string;
  /** The column's name before. Without it the table itself is renamed. */
  readonly column?: string;
  /** The name now. */
  readonly to: string;
}

/**
 * Does the renames that are still to be done, and gives their statements: the old name is there, the new one is not. A
 * rename may stay in the configuration after it was applied.
 *
 * @param own the one schema that is changed; undefined for all
 */
export async function renameFirst(
  session: ForgivingSession,
  renames: readonly Rename[],
  own?: string,
): Promise<readonly string[]> {
  const statements: string[] = [];
  for (const rename of renames) {
    const { schema = own ?? 'public', table, column, to } = rename;
    if (own !== undefined && schema !== own) continue;
    const names = async (name: string): Promise<boolean> =>
      column === undefined ? isTable(session, schema, name) : isColumn(session, schema, table, name);
    if (!(await names(column ?? table)) || (await names(to))) continue;
    const what = column === undefined ? '' : `COLUMN ${quoteIdentifier(column)} `;
    const statement = `ALTER TABLE ${quoteTable(schema, table)} RENAME ${what}TO ${quoteIdentifier(to)}`;
    // Done at once: the next rename may be of a column of this table.
    await session.query(statement);
    statements.push(statement);
  }
  return statements;
}

async function isTable(session: ForgivingSession, schema: string, name: string): Promise<boolean> {
  const rows = await session.query(
    `select from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = $1 and c.relname = $2 and c.relkind in ('r', 'p')`,
    [schema, name],
  );
  return rows.length > 0;
}

async function isColumn(
  session: ForgivingSession,
  schema: string,
  table: string,
  name: string,
): Promise<boolean> {
  const rows = await session.query(
    `select from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = $1 and c.relname = $2 and c.relkind in ('r', 'p') and a.attname = $3 and a.attnum > 0
       and not a.attisdropped`,
    [schema, table, name],
  );
  return rows.length > 0;
}
