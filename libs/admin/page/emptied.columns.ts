import type { ScreenColumn } from './model/screen.js';
import { isSingle } from './model/schema.view.js';

/** The member of a form, and of each entry of one, that says which columns are emptied. No column is called so. */
const member = '@emptied';

/** The place in a form that says whether a column is emptied. */
export function emptiedPlace({ name }: ScreenColumn): string {
  return `${member}.${name}`;
}

/** The value of a column that was emptied, within a list; undefined for one that cannot be. */
export function emptyValue({ sort, reference, isNullable }: ScreenColumn): readonly unknown[] | undefined {
  if (isNullable) return [null];
  const isList = sort === 'texts' || sort === 'list' || (reference !== undefined && !isSingle(sort));
  return isList ? [[]] : undefined;
}

/** Gives the columns that are emptied, each with what it has then. */
export function emptiedIn(
  columns: readonly ScreenColumn[],
  entry: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const marks = Object(entry[member]) as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    columns.flatMap((column) => {
      const [value] = marks[column.name] === true ? (emptyValue(column) ?? [undefined]) : [undefined];
      return value === undefined ? [] : [[column.name, value] as const];
    }),
  );
}

/** Leaves out what a form says of columns that are emptied. */
export function withoutEmptied({
  [member]: _marks,
  ...entry
}: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return entry;
}
