import { quoteIdentifier, quoteTable } from '../database/quoting.js';
import type { RequiredColumn } from '../diff/schema.diff.tool.js';

/**
 * SQL expressions over a row, by `table.column` or `schema.table.column`: the values of rows that are there when a column
 * becomes required.
 */
export type Fills = Readonly<Record<string, string>>;

/** A column whose rows get a value, and the statement that gives it. */
export interface Fill {
  readonly column: RequiredColumn;
  readonly sql: string;
}

/** The name of a column in `fills`. The schema `public` is left out, as in `renames`, and so is that of a tenant. */
export function fillName({ schema, table, column }: RequiredColumn, own = 'public'): string {
  return schema === own ? `${table}.${column}` : `${schema}.${table}.${column}`;
}

/**
 * The fills of these columns, in the order of the configuration: one may read what another has written.
 *
 * @param update the statement that gives rows an expression, as the database has it; default that of PostgreSQL
 */
export function fillsOf(
  columns: readonly RequiredColumn[],
  expressions: ReadonlyMap<string, string>,
  own?: string,
  update = updateOf,
): readonly Fill[] {
  return [...expressions].flatMap(([name, expression]) =>
    columns
      .filter((column) => namesOf(column, own).includes(name))
      .map((column) => ({ column, sql: update(column, expression) })),
  );
}

/** A value that is there is never written over. */
function updateOf({ schema, table, column }: RequiredColumn, expression: string): string {
  const name = quoteIdentifier(column);
  return `UPDATE ${quoteTable(schema, table)} SET ${name} = (${expression}) WHERE ${name} IS NULL`;
}

function namesOf(column: RequiredColumn, own?: string): readonly string[] {
  return [fillName(column, own), `${column.schema}.${column.table}.${column.column}`];
}
