import type { Platform } from '@mikro-orm/core';
import type { Column } from '../model/column.js';
import type { SelectedColumn, SelectedParent, Selection } from '../query/query.plan.js';
import type { NameTable } from '../wire/name.table.js';
import { columnsOf } from './select.statement.js';

/** A row as the database hands it over: values by the aliases of the statement, `c0`, `c1`, …. */
export type Row = Readonly<Record<string, unknown>>;

type Writer = (row: Row) => string;

/** Compiles how a row becomes the JSON text of a record: keys are cased and quoted once, here. */
export function rowWriter(selection: Selection, names: NameTable, platform: Platform): Writer {
  const aliases = new Map(columnsOf(selection).map(({ text }, index) => [text, `c${index}`]));
  const alias = (path: string): string => aliases.get(path) ?? '';

  const column = ({ path }: SelectedColumn): Writer => scalar(path.column, alias(path.text), platform);
  const nested = ({ presence, members }: SelectedParent): Writer =>
    presence === undefined ? object(members) : parent(alias(presence.text), object(members));

  const object = (members: Selection): Writer => {
    const writers = members.map((member, index): Writer => {
      const key = `${index === 0 ? '{' : ','}${JSON.stringify(names.outward(member.name))}:`;
      const value = member.kind === 'column' ? column(member) : nested(member);
      return (row) => key + value(row);
    });
    if (writers.length === 0) return () => '{}';
    return (row) => {
      let text = '';
      for (const write of writers) text += write(row);
      return `${text}}`;
    };
  };
  return object(selection);
}

function scalar({ type, conversion }: Column, alias: string, platform: Platform): Writer {
  if (conversion === undefined)
    return (row) => {
      const value = row[alias];
      return value === null || value === undefined ? 'null' : type.toWire(value);
    };
  return (row) => {
    const stored = row[alias];
    const value =
      stored === null || stored === undefined ? null : conversion.convertToJSValue(stored, platform);
    return value === null || value === undefined ? 'null' : type.toWire(value);
  };
}

function parent(presence: string, write: Writer): Writer {
  return (row) => (row[presence] === null || row[presence] === undefined ? 'null' : write(row));
}
