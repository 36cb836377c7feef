import type { RequiredColumn } from '../diff/schema.diff.tool.js';
import type { MariaDbSchema } from './mariadb.schema.js';
import { withoutRemadeKeys } from './remade.keys.js';
import { isRemade } from './table.change.js';
import { tokensOf } from './sql.tokens.js';
import type { ColumnDefinition, TableDefinition } from './table.definition.js';

/**
 * The schema between the two parts of a change, in which rows get their values: the current one, with these columns of the
 * target, which may be null, and with its new tables and routines, which the values may come from. Foreign keys over columns that get
 * another type are gone. All else comes afterwards.
 */
export function relaxedSchema(
  current: MariaDbSchema,
  target: MariaDbSchema,
  columns: readonly RequiredColumn[],
): MariaDbSchema {
  const withoutRemade = withoutRemadeKeys(current, target);
  const tables = new Map([...current.tables].map(([name, table]) => [name, withoutRemade(table)]));
  for (const [name, to] of target.tables) {
    const from = tables.get(name);
    const filled = new Set(columns.flatMap(({ table, column }) => (table === name ? [column] : [])));
    if (from === undefined) tables.set(name, { ...to, foreignKeys: new Map() });
    else if (filled.size > 0) tables.set(name, { ...from, columns: relaxedColumns(from, to, filled) });
  }
  const isRoutine = (kind: string): boolean => kind === 'function' || kind === 'procedure';
  const routines = [...target.objects].filter(
    ([key, { kind }]) => isRoutine(kind) && !current.objects.has(key),
  );
  return { ...current, tables, objects: new Map([...current.objects, ...routines]) };
}

/** A new column stands behind the one that it stands behind in the target. */
function relaxedColumns(
  from: TableDefinition,
  to: TableDefinition,
  filled: ReadonlySet<string>,
): ReadonlyMap<string, ColumnDefinition> {
  const columns = [...from.columns];
  let place = 0;
  for (const [name, column] of to.columns) {
    const at = columns.findIndex(([other]) => other === name);
    const current = columns[at]?.[1];
    if (current === undefined) {
      if (filled.has(name)) columns.splice(place, 0, [name, nullable(column)]);
      else continue;
    } else if (filled.has(name) && (current.type !== column.type || isRemade(current, column)))
      columns[at] = [name, nullable(column)];
    place = (at === -1 ? place : at) + 1;
  }
  return new Map(columns);
}

function nullable(column: ColumnDefinition): ColumnDefinition {
  const { sql } = column;
  const not = tokensOf(sql).find(({ kind, text }) => kind === 'word' && text === 'not');
  if (not === undefined) return column;
  return { ...column, sql: `${sql.slice(0, not.start)}${sql.slice(not.end).trimStart()}`, isRequired: false };
}
