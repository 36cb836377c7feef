import { quoteIdentifier, quoteTable } from '../database/quoting.js';
import type { RequiredColumn } from '../diff/schema.diff.tool.js';
import { MigrationFailure } from '../migration.failure.js';

/**
 * SQL expressions over a row, by `table.column` or `schema.table.column`: the values of rows that are there when a column
 * becomes required.
 */
export type Fills = Readonly<Record<string, string>>;

/** Names as a database reads them back. */
export interface FillQuoting {
  readonly table: (column: RequiredColumn) => string;
  readonly column: (name: string) => string;
}

const postgresql: FillQuoting = {
  table: ({ schema, table }) => quoteTable(schema, table),
  column: quoteIdentifier,
};

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
 * The expressions of fills as they are run.
 *
 * @param read gives one of them, or throws a MigrationFailure. Its `name` is that of the fill in the options
 * @throws MigrationFailure with the lines of all that cannot be read
 */
export async function expressionsOf(
  fills: Fills,
  read: (name: string, text: string) => string | Promise<string>,
): Promise<ReadonlyMap<string, string>> {
  const problems: string[] = [];
  const expressions = new Map<string, string>();
  for (const [name, text] of Object.entries(fills))
    try {
      expressions.set(name, await read(`fills['${name}']`, text));
    } catch (error) {
      if (!(error instanceof MigrationFailure)) throw error;
      problems.push(...error.lines);
    }
  if (problems.length > 0) throw new MigrationFailure(problems);
  return expressions;
}

/** The refusal of a fill that is anything but an expression. */
export function refusedFill(name: string): MigrationFailure {
  return new MigrationFailure(`${name}: it must be one SQL expression over the row, e.g. lower(title)`);
}

/**
 * The fills of these columns, in the order of the configuration: one may read what another has written.
 *
 * @param quoting of the database. Default that of PostgreSQL
 */
export function fillsOf(
  columns: readonly RequiredColumn[],
  expressions: ReadonlyMap<string, string>,
  own?: string,
  quoting = postgresql,
): readonly Fill[] {
  return [...expressions].flatMap(([name, expression]) =>
    columns
      .filter((column) => namesOf(column, own).includes(name))
      .map((column) => ({ column, sql: updateOf(column, expression, quoting) })),
  );
}

/** A value that is there is never written over. So an apply that was cut goes on with the rows that have none. */
function updateOf(required: RequiredColumn, expression: string, quoting: FillQuoting): string {
  const name = quoting.column(required.column);
  return `UPDATE ${quoting.table(required)} SET ${name} = (${expression}) WHERE ${name} IS NULL`;
}

function namesOf(column: RequiredColumn, own?: string): readonly string[] {
  return [fillName(column, own), `${column.schema}.${column.table}.${column.column}`];
}
