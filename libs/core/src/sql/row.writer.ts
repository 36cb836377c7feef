import type { Platform } from '@mikro-orm/core';
import type {
  SelectedColumn,
  SelectedList,
  SelectedParent,
  SelectedValue,
  Selection,
} from '../query/query.plan.js';
import type { ColumnType } from '../model/column.type.js';
import { listText } from '../wire/json.text.js';
import type { NameTable } from '../wire/name.table.js';
import { RowLayout, type Row } from './row.layout.js';

/** Writes a row as JSON text. */
export type RowWriter = (row: Row) => string;

/**
 * Compiles how a row becomes the JSON text of a record, or of a bare value: keys are cased and quoted once, here.
 *
 * @param shown what of the row is written
 * @param layout of the whole row
 */
export function rowWriter(
  shown: Selection | SelectedColumn,
  layout: RowLayout,
  names: NameTable,
  platform: Platform,
): RowWriter {
  const nested = ({ presence, members }: SelectedParent): RowWriter =>
    presence === undefined
      ? object(members, names.within)
      : parent(layout.at(presence), object(members, names.within));
  const value = (member: SelectedParent | SelectedList): RowWriter =>
    member.kind === 'parent' ? nested(member) : list(member, layout, names, platform);
  const object = (members: Selection, named: NameTable): RowWriter => {
    const writers = members.map((member, index): RowWriter => {
      const key = `${index === 0 ? '{' : ','}${JSON.stringify(named.outward(member.name))}:`;
      if (member.kind === 'column' || member.kind === 'value') return scalar(member, layout, platform, key);
      const write = value(member);
      return (row) => key + write(row);
    });
    if (writers.length === 0) return () => '{}';
    return (row) => {
      let text = '';
      for (const write of writers) text += write(row);
      return `${text}}`;
    };
  };
  return 'kind' in shown ? scalar(shown, layout, platform) : object(shown, names);
}

/** The JSON text of a list of records. @throws AnswerTooLong */
export function rowsText(rows: readonly Row[], write: RowWriter): string {
  return listText(rows, write);
}

/** @param key what stands before the value */
function scalar(
  member: SelectedColumn | SelectedValue,
  layout: RowLayout,
  platform: Platform,
  key = '',
): RowWriter {
  const { type, conversion } = member.path.column;
  const position = layout.at(member.path);
  const isNull = `${key}null`;
  const toWire = member.kind === 'value' ? member.toWire : type.toWire.bind(type);
  if (conversion === undefined)
    return (row) => {
      const stored = row[position];
      return stored === null || stored === undefined ? isNull : key + toWire(stored);
    };
  return (row) => {
    const stored = row[position];
    if (stored === null || stored === undefined) return isNull;
    const value: unknown = conversion.convertToJSValue(stored, platform);
    return value === null || value === undefined ? isNull : key + toWire(value);
  };
}

function parent(presence: number, write: RowWriter): RowWriter {
  return (row) => (row[presence] === null || row[presence] === undefined ? 'null' : write(row));
}

function list(member: SelectedList, layout: RowLayout, names: NameTable, platform: Platform): RowWriter {
  const position = layout.atList(member);
  const write = rowWriter(member.members, new RowLayout(member.members), names.within, platform);
  return (row) => rowsText(row[position] as readonly Row[], write);
}

/** The text of a key: one driver hands over text where another has a number or a bigint. */
export function keyText(key: unknown): string {
  return String(key);
}

/** The text of a key as the log of changes has it, which is what the database makes of it: without the blanks of `char(n)`. */
export function recordedKey(type: ColumnType, key: unknown): string {
  return type.isText ? String(JSON.parse(type.keyText(key))) : keyText(key);
}
