import type { Session } from '../database/session.js';
import { quoteName } from './mariadb.quoting.js';
import { tableDefinition, type TableDefinition } from './table.definition.js';

/** A view, a trigger or a routine. */
export interface SchemaObject {
  readonly kind: 'view' | 'trigger' | 'function' | 'procedure';
  readonly name: string;
  /** The statement that makes it, without who made it. */
  readonly sql: string;
  /** The table of a trigger. */
  readonly table?: string;
}

/** A database as its server writes it. */
export interface MariaDbSchema {
  readonly tables: ReadonlyMap<string, TableDefinition>;
  /** The others, by kind and name. */
  readonly objects: ReadonlyMap<string, SchemaObject>;
}

/** The table in which it is kept how far an apply came; no plan touches it. */
export const ownTable = 'nest_endpoints_applied';

/** Reads the database that the session uses. @throws MigrationFailure for what cannot be compared */
export async function readSchema(
  session: Session,
  isUnmanaged: (name: string) => boolean,
): Promise<MariaDbSchema> {
  const names = await session.query(
    `select table_name as name, table_type as sort from information_schema.tables
     where table_schema = database() order by 1`,
  );
  const tables = new Map<string, TableDefinition>();
  const objects = new Map<string, SchemaObject>();
  const add = async (kind: SchemaObject['kind'], name: string, table?: string): Promise<void> => {
    const sql = await createStatement(session, kind, name);
    objects.set(`${kind} ${name}`, { kind, name, sql, ...(table !== undefined && { table }) });
  };
  for (const { name, sort } of names) {
    const text = String(name);
    if (text === ownTable || isUnmanaged(text)) continue;
    if (sort === 'VIEW') await add('view', text);
    else if (sort === 'BASE TABLE')
      tables.set(text, tableDefinition(text, await createStatement(session, 'table', text)));
  }
  const routines = await session.query(
    `select lower(routine_type) as kind, routine_name as name from information_schema.routines
     where routine_schema = database() and routine_type in ('FUNCTION', 'PROCEDURE') order by 1, 2`,
  );
  for (const { kind, name } of routines)
    if (!isUnmanaged(String(name))) await add(kind as 'function' | 'procedure', String(name));
  const triggers = await session.query(
    `select trigger_name as name, event_object_table as owner from information_schema.triggers
     where trigger_schema = database() order by event_object_table, event_manipulation, action_timing, action_order`,
  );
  for (const { name, owner } of triggers)
    if (!isUnmanaged(String(owner))) await add('trigger', String(name), String(owner));
  return { tables, objects };
}

const columnsOfAnswers = {
  table: 'Create Table',
  view: 'Create View',
  trigger: 'SQL Original Statement',
  function: 'Create Function',
  procedure: 'Create Procedure',
} as const;

async function createStatement(
  session: Session,
  kind: keyof typeof columnsOfAnswers,
  name: string,
): Promise<string> {
  const [row] = await session.query(`show create ${kind} ${quoteName(name)}`);
  const sql = String(row?.[columnsOfAnswers[kind]]);
  // Who made it is whoever ran the statement.
  return kind === 'table' ? sql : sql.replace(/ DEFINER=`(?:[^`]|``)*`@`(?:[^`]|``)*`/, '');
}
