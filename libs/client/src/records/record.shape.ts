import type { ApiSchema } from '../document/api.document.js';
import { columnOf, frontName } from '../document/column.names.js';
import type { KnownResource } from '../document/resource.reader.js';
import { isObject } from '../wire/names.js';
import { typedValue } from './column.values.js';
import type { RecordData } from './record.query.js';
import { contentOf } from './version.memory.js';

/**
 * Gives a record as front ends want it: with `id`, which is always what the service calls it by, and with the keys of parents under the
 * names that forms write.
 */
export function shownRecord(resource: KnownResource, record: unknown): RecordData {
  const { key, joined } = resource;
  if (!isObject(record)) return {};
  const keys = [...joined].flatMap(([name, [parent, member]]) => {
    if (Object.hasOwn(record, name) || !Object.hasOwn(record, parent)) return [];
    const known = record[parent];
    if (known === null) return [[name, null] as const];
    // A parent that is shown without its key may have one.
    return isObject(known) && Object.hasOwn(known, member) ? [[name, known[member]] as const] : [];
  });
  const id = key === undefined ? {} : { id: record[key] };
  const own = Object.entries(record).map(([name, value]) => [frontName(resource, name), value] as const);
  return { ...id, ...Object.fromEntries(own), ...Object.fromEntries(keys) };
}

/** Gives the columns to select for names of front ends: what records are called by is always among them. */
export function selectedColumns(resource: KnownResource, names: readonly string[]): readonly string[] {
  const columns = names.map((name) => columnOf(resource, name));
  return [...new Set([...(resource.key === undefined ? [] : [resource.key]), ...columns])];
}

/**
 * Gives what of a form's values the service may be sent. What it only shows is left out; a name that it does not know is kept, so
 * that it says so.
 * @param properties the members that the body may have; none where the document does not tell
 */
export function writtenRecord(
  resource: KnownResource,
  data: RecordData,
  properties: Readonly<Record<string, ApiSchema>>,
): RecordData {
  const { shown, joined, ownId } = resource;
  const isKnown = Object.keys(properties).length > 0;
  const isLeftOut = (name: string): boolean =>
    !Object.hasOwn(properties, name) &&
    (isKnown ? name === 'id' || Object.hasOwn(shown, name) || joined.has(name) : name === 'id');
  // What a record is called by is among its values under the name of the service, too.
  const isCall = (name: string): boolean => name === 'id' && ownId !== undefined;
  const entries = Object.entries(data).flatMap(([name, value]): (readonly [string, unknown])[] =>
    value === undefined || isCall(name) ? [] : [[columnOf(resource, name), value]],
  );
  return Object.fromEntries(
    entries
      .filter(([name]) => !isLeftOut(name))
      .map(([name, value]) => [name, typedValue(properties[name] ?? {}, value)]),
  );
}

/**
 * Leaves out the keys of parents that were null before, and are so still: a parent that nobody may see is null, too, and would be taken
 * away by a form that was sent as it was shown.
 * @param seen the records that whoever writes has seen; the first one that has the key tells
 */
export function withoutUnseen(
  { joined, ...resource }: KnownResource,
  written: RecordData,
  seen: readonly (RecordData | undefined)[],
): RecordData {
  const isUnseen = ([column, value]: readonly [string, unknown]): boolean => {
    const name = frontName(resource, column);
    if (value !== null || !joined.has(name)) return false;
    return seen.find((record) => record !== undefined && Object.hasOwn(record, name))?.[name] === null;
  };
  return Object.fromEntries(Object.entries(written).filter((entry) => !isUnseen(entry)));
}

/** Leaves out the values that are as they were; all of them stay where nothing has changed. */
export function changedValues(
  resource: KnownResource,
  written: RecordData,
  previous: RecordData | undefined,
): RecordData {
  if (previous === undefined) return written;
  const isSame = ([column, value]: readonly [string, unknown]): boolean => {
    const name = frontName(resource, column);
    return Object.hasOwn(previous, name) && contentOf(value) === contentOf(previous[name]);
  };
  const changed = Object.entries(written).filter((entry) => !isSame(entry));
  return changed.length === 0 ? written : Object.fromEntries(changed);
}
