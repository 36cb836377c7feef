import type { MariaDbSchema } from './mariadb.schema.js';
import { tokensOf, unquoted } from './sql.tokens.js';
import { isRemade } from './table.change.js';
import type { ColumnDefinition, TableDefinition } from './table.definition.js';

/**
 * Gives what leaves out of a table the foreign keys over columns that get another type, on either side: MariaDB changes no such
 * column while the key is there.
 */
export function withoutRemadeKeys(
  current: MariaDbSchema,
  target: MariaDbSchema,
): (table: TableDefinition) => TableDefinition {
  const retyped = new Set(
    [...current.tables.values()].flatMap((from) =>
      [...from.columns].flatMap(([name, column]) => {
        const next = target.tables.get(from.name)?.columns.get(name);
        return next !== undefined && isOfAnotherType(column, next) ? [columnKey(from.name, name)] : [];
      }),
    ),
  );
  return (table) => {
    const kept = [...table.foreignKeys].filter(
      ([, sql]) => !columnsRead(table.name, sql).some((column) => retyped.has(column)),
    );
    return { ...table, foreignKeys: new Map(kept) };
  };
}

function isOfAnotherType(from: ColumnDefinition, to: ColumnDefinition): boolean {
  return isRemade(from, to) || typeWithCollation(from) !== typeWithCollation(to);
}

/** The collation stands behind the type, where it is another one than the table's. */
function typeWithCollation({ sql, type }: ColumnDefinition): string {
  const [collation = ''] = /^(?: CHARACTER SET \w+)?(?: COLLATE \w+)?/.exec(sql.slice(type.length)) ?? [];
  return type + collation;
}

/** The columns of both sides of a foreign key: `CONSTRAINT … FOREIGN KEY (…) REFERENCES … (…)`. */
function columnsRead(table: string, sql: string): readonly string[] {
  const tokens = tokensOf(sql);
  const references = tokens.findIndex(({ kind, text }) => kind === 'word' && text === 'references');
  const sides = [tokens.slice(0, references), tokens.slice(references + 1)];
  const [own, other] = sides.map((side) => {
    const start = side.findIndex(({ text }) => text === '(');
    const end = side.findIndex(({ text }) => text === ')');
    const before = side[start - 1];
    const columns = side.slice(start, end).filter(({ kind }) => kind === 'name');
    return { table: before === undefined ? '' : unquoted(before), columns: columns.map(unquoted) };
  });
  return [
    ...(own?.columns ?? []).map((column) => columnKey(table, column)),
    ...(other?.columns ?? []).map((column) => columnKey(other?.table ?? '', column)),
  ];
}

/** MariaDB heeds no case in names of columns. */
function columnKey(table: string, column: string): string {
  return JSON.stringify([table, column.toLowerCase()]);
}
