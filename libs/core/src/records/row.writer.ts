import type { Platform } from '@mikro-orm/core';
import type { Column } from '../model/column.js';
import type { SelectedColumn, SelectedList, SelectedParent, Selection } from '../query/query.plan.js';
import { columnsOf } from '../query/selected.columns.js';
import type { NameTable } from '../wire/name.table.js';

/** A row as the database hands it over: values in the order of the statement's columns. */
export type Row = readonly unknown[];

/** JSON text of related records, by list and by the key of the record they belong to. */
export type RelatedTexts = ReadonlyMap<SelectedList, ReadonlyMap<string, string>>;

type Writer = (row: Row, related: RelatedTexts) => string;

/** Compiles how a row becomes the JSON text of a record, or of a bare value: keys are cased and quoted once, here. */
export function rowWriter(
  selection: Selection | SelectedColumn,
  names: NameTable,
  platform: Platform,
): Writer {
  const positions = new Map(columnsOf(selection).map(({ text }, index) => [text, index]));
  const position = (path: string): number => positions.get(path) ?? -1;

  const column = ({ path }: SelectedColumn): Writer => scalar(path.column, position(path.text), platform);
  const nested = ({ presence, members }: SelectedParent): Writer =>
    presence === undefined ? object(members) : parent(position(presence.text), object(members));

  const value = (member: Selection[number]): Writer => {
    if (member.kind === 'column') return column(member);
    return member.kind === 'parent' ? nested(member) : list(member, position(member.ownerKey.text));
  };
  const object = (members: Selection): Writer => {
    const writers = members.map((member, index): Writer => {
      const key = `${index === 0 ? '{' : ','}${JSON.stringify(names.outward(member.name))}:`;
      if (member.kind === 'column')
        return scalar(member.path.column, position(member.path.text), platform, key);
      const write = value(member);
      return (row, related) => key + write(row, related);
    });
    if (writers.length === 0) return () => '{}';
    return (row, related) => {
      let text = '';
      for (const write of writers) text += write(row, related);
      return `${text}}`;
    };
  };
  return 'kind' in selection ? column(selection) : object(selection);
}

/** @param key what stands before the value */
function scalar({ type, conversion }: Column, position: number, platform: Platform, key = ''): Writer {
  const isNull = `${key}null`;
  const toWire = type.toWire.bind(type);
  const written = (value: unknown): string =>
    value === null || value === undefined ? isNull : key + toWire(value);
  if (conversion === undefined) return (row) => written(row[position]);
  return (row) => {
    const stored = row[position];
    if (stored === null || stored === undefined) return isNull;
    return written(conversion.convertToJSValue(stored, platform));
  };
}

function parent(presence: number, write: Writer): Writer {
  return (row, related) =>
    row[presence] === null || row[presence] === undefined ? 'null' : write(row, related);
}

function list(member: SelectedList, ownerKey: number): Writer {
  return (row, related) => related.get(member)?.get(keyText(row[ownerKey])) ?? '[]';
}

/** The text of a key: one driver hands over text where another has a number or a bigint. */
export function keyText(key: unknown): string {
  return String(key);
}
