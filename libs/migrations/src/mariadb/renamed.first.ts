import type { Session } from '../database/session.js';
import type { Rename } from '../safety/renames.js';
import { quoteName } from './mariadb.quoting.js';

/** The pending renames, done at once in the database of the session: the old name is there, the new one is not. */
export async function renamedFirst(
  session: Session,
  renames: readonly Rename[],
): Promise<readonly DoneRename[]> {
  const done: DoneRename[] = [];
  for (const rename of renames) {
    const { table, column, to } = rename;
    const isThere = (name: string): Promise<boolean> =>
      column === undefined ? isTable(session, name) : isColumn(session, table, name);
    if (!(await isThere(column ?? table)) || (await isThere(to))) continue;
    const sql =
      column === undefined
        ? `RENAME TABLE ${quoteName(table)} TO ${quoteName(to)}`
        : `ALTER TABLE ${quoteName(table)} RENAME COLUMN ${quoteName(column)} TO ${quoteName(to)}`;
    await session.query(sql);
    done.push({ ...rename, sql });
  }
  return done;
}

/** A rename, and the statement that does it. */
export interface DoneRename extends Rename {
  readonly sql: string;
}

/** The names that a table and its column still have in the database, before these renames. */
export function namesBefore(
  renames: readonly DoneRename[],
  name: { readonly table: string; readonly column: string },
): { readonly table: string; readonly column: string } {
  let { table, column } = name;
  for (const rename of renames.toReversed()) {
    if (rename.column === undefined && rename.to === table) table = rename.table;
    if (rename.column !== undefined && rename.table === table && rename.to === column) column = rename.column;
  }
  return { table, column };
}

async function isTable(session: Session, name: string): Promise<boolean> {
  const rows = await session.query(
    `select 1 as yes from information_schema.tables
     where table_schema = database() and table_name = ? and table_type = 'BASE TABLE'`,
    [name],
  );
  return rows.length > 0;
}

async function isColumn(session: Session, table: string, name: string): Promise<boolean> {
  const rows = await session.query(
    `select 1 as yes from information_schema.columns
     where table_schema = database() and table_name = ? and column_name = ?`,
    [table, name],
  );
  return rows.length > 0;
}
