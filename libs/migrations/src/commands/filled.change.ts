import type { ForgivingSession } from '../database/session.js';
import type { SchemaChange, SchemaStep, TableName } from '../diff/schema.diff.tool.js';
import { fillsOf, type Fill } from '../safety/fills.js';
import { HiddenRows } from '../safety/hidden.rows.js';
import { columnsWithoutValues, missingFills } from '../safety/missing.values.js';
import { mistakenRenames, mistakenUnmanaged } from '../safety/mistaken.names.js';
import { objectionsTo } from '../safety/objections.js';
import type { Rename } from '../safety/renames.js';
import type { CommandRules } from './command.context.js';

/** A change, and the values that rows get on its way. */
export interface FilledChange {
  readonly before: readonly SchemaStep[];
  readonly fills: readonly Fill[];
  readonly after: readonly SchemaStep[];
  /** The reasons why it must not be applied; none when it may. */
  readonly objections: readonly string[];
}

/** Looks at the rows that a change is about. A fill of rows that have their values has nothing to do. */
export async function filledChange(
  session: ForgivingSession,
  change: SchemaChange,
  rules: CommandRules,
  expressions: ReadonlyMap<string, string>,
): Promise<FilledChange> {
  const { allowDestructive, renames, schema } = rules;
  const retyped = allowDestructive ? [] : change.retyped;
  const hidden = await HiddenRows.of(session, [...retyped, ...change.required]);
  const isSeen = (column: TableName): boolean => !hidden.isOf(column);
  const lacking = await columnsWithoutValues(session, change.required.filter(isSeen));
  const unknown = change.required.filter((column) => hidden.isOf(column));
  const fills = fillsOf([...lacking, ...unknown], expressions, schema);
  const filled = new Set(fills.map(({ column }) => column));
  const missing = missingFills(
    lacking.filter((column) => !filled.has(column)),
    schema,
  );
  const losses = allowDestructive ? [] : await objectionsTo(session, change, retyped.filter(isSeen));
  const mistaken = [
    ...mistakenRenames(change, renames, (rename) => renamedTo(rename, schema)),
    ...(await mistakenUnmanaged(session, change, rules)),
  ];
  const { before, after } =
    fills.length === 0 ? { before: change.steps, after: [] } : change.divided([...filled]);
  return { before, fills, after, objections: [...mistaken, ...losses, ...missing, ...hidden.objections()] };
}

/** The object that a rename makes, as a change names it. */
function renamedTo({ schema, table, column, to }: Rename, own = 'public'): string {
  const within = schema ?? own;
  return column === undefined ? `table ${within}.${to}` : `column ${within}.${table}.${to}`;
}
