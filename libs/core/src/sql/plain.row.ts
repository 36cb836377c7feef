import type { Platform } from '@mikro-orm/core';
import type { SelectedColumn, SelectedValue, Selection } from '../query/query.plan.js';
import type { NameTable } from '../wire/name.table.js';
import { RowLayout, type Row } from './row.layout.js';

/** A record as functions of the user's see it: JSON values by name. */
export type PlainRecord = Readonly<Record<string, unknown>>;

type Reader = (row: Row) => unknown;

/**
 * Compiles how a row becomes a plain object of JSON values, whose names are cased once, here.
 *
 * @param layout of the whole row, of which `shown` may be a part
 */
export function plainRow(
  shown: Selection,
  layout: RowLayout,
  names: NameTable,
  platform: Platform,
): (row: Row) => PlainRecord {
  const members = shown.map(
    (member) => [names.outward(member.name), valueOf(member, layout, names, platform)] as const,
  );
  return (row) => Object.fromEntries(members.map(([name, read]) => [name, read(row)]));
}

/** Compiles how a value of a row becomes a JSON value: its type alone knows how, and says it in JSON text. */
export function plainValueOf(
  member: SelectedColumn | SelectedValue,
  layout: RowLayout,
  platform: Platform,
): Reader {
  const { type, conversion } = member.path.column;
  const position = layout.at(member.path);
  const toWire = member.kind === 'value' ? member.toWire : type.toWire.bind(type);
  return (row) => {
    const stored = row[position];
    if (stored === null || stored === undefined) return null;
    const value: unknown = conversion === undefined ? stored : conversion.convertToJSValue(stored, platform);
    return value === null || value === undefined ? null : (JSON.parse(toWire(value)) as unknown);
  };
}

function valueOf(member: Selection[number], layout: RowLayout, names: NameTable, platform: Platform): Reader {
  switch (member.kind) {
    case 'column':
    case 'value':
      return plainValueOf(member, layout, platform);
    case 'parent': {
      const read = plainRow(member.members, layout, names.within, platform);
      const { presence } = member;
      if (presence === undefined) return read;
      const position = layout.at(presence);
      return (row) => (row[position] === null || row[position] === undefined ? null : read(row));
    }
    case 'list': {
      const position = layout.atList(member);
      const { members } = member;
      const inner = new RowLayout(members);
      const read =
        'kind' in members
          ? plainValueOf(members, inner, platform)
          : plainRow(members, inner, names.within, platform);
      return (row) => (row[position] as readonly Row[]).map(read);
    }
  }
}
