import type { Platform } from '@mikro-orm/core';
import type { Selection, SelectedColumn, SelectedValue } from '../../query/query.plan.js';
import { ColumnType } from '../../model/column.type.js';
import type { Row, RowLayout } from '../../sql/row.layout.js';
import type { NameTable } from '../../wire/name.table.js';

/** The text of a cell; null for an empty one. */
type ReadCell = (row: Row) => string | null;

/** A column of a table of cells. */
export interface CellColumn {
  /** The path of the column, under the names of the wire: `country.name`. */
  readonly header: string;
  readonly read: ReadCell;
}

/** The way in which text that a spreadsheet would run is written. */
export type Formulas = 'escape' | 'keep';

/**
 * Compiles the cells of records. Members of parents stand in columns of their own.
 *
 * @param prefix the path from the record to what is shown, internal, and a dot
 */
export function cellColumns(
  shown: Selection,
  layout: RowLayout,
  names: NameTable,
  platform: Platform,
  formulas: Formulas,
  prefix = '',
): CellColumn[] {
  return shown.flatMap((member): CellColumn[] => {
    const path = `${prefix}${member.name}`;
    switch (member.kind) {
      case 'column':
      case 'value':
        return [{ header: names.outward(path), read: cellOf(member, layout, platform, formulas) }];
      case 'parent': {
        const position = member.presence === undefined ? undefined : layout.at(member.presence);
        const isThere = (row: Row): boolean =>
          position === undefined || (row[position] !== null && row[position] !== undefined);
        const inner = cellColumns(member.members, layout, names, platform, formulas, `${path}.`);
        return inner.map(({ header, read }) => ({
          header,
          read: (row) => (isThere(row) ? read(row) : null),
        }));
      }
      case 'list':
        return [];
    }
  });
}

/**
 * Texts stand as they are, other values as JSON writes them, so that no digit of a number changes. So do the texts of a column that reads
 * its cells as JSON: there `5` is a number.
 */
function cellOf(
  member: SelectedColumn | SelectedValue,
  layout: RowLayout,
  platform: Platform,
  formulas: Formulas,
): ReadCell {
  const { type, conversion } = member.path.column;
  const position = layout.at(member.path);
  // A number that its text keeps exact is none to work out.
  const isNumber = member.kind === 'column' && conversion === undefined && type.arithmetic !== undefined;
  const isJson = member.kind === 'column' && readsJson(type);
  const isEscaped = formulas === 'escape' && !isNumber;
  const toWire = member.kind === 'value' ? member.toWire : type.toWire.bind(type);
  return (row) => {
    const stored = row[position];
    if (stored === null || stored === undefined) return null;
    const value: unknown = conversion === undefined ? stored : conversion.convertToJSValue(stored, platform);
    if (value === null || value === undefined) return null;
    const json = toWire(value);
    if (json === 'null') return null;
    if (isJson || !json.startsWith('"')) return json;
    const text = JSON.parse(json) as string;
    return isEscaped && isFormula(text) ? `'${text}` : text;
  };
}

/** True if a type reads text as any JSON: one that keeps JSON, and does not leave the text as it is. */
function readsJson(type: ColumnType): boolean {
  return type.storage === 'json' && Reflect.get(type, 'fromText') !== ColumnType.prototype.fromText;
}

/** True if a spreadsheet takes a text for something to work out. */
function isFormula(text: string): boolean {
  return /^[=+\-@\t\r]/.test(text);
}
