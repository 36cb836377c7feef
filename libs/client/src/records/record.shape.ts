import type { ApiSchema } from '../document/api.document.js';
import type { KnownResource } from '../document/resource.reader.js';
import { isObject } from '../wire/names.js';
import { typedValue } from './column.values.js';
import type { RecordData } from './record.query.js';
import { contentOf } from './version.memory.js';

/** Gives a record as front ends want it: with `id`, and with the keys of parents under the names that forms write. */
export function shownRecord({ key, joined }: KnownResource, record: unknown): RecordData {
  if (!isObject(record)) return {};
  const keys = [...joined].flatMap(([name, [parent, member]]) => {
    if (Object.hasOwn(record, name) || !Object.hasOwn(record, parent)) return [];
    const known = record[parent];
    return [[name, isObject(known) && Object.hasOwn(known, member) ? known[member] : null] as const];
  });
  const id = key === undefined || Object.hasOwn(record, 'id') ? {} : { id: record[key] };
  return { ...id, ...record, ...Object.fromEntries(keys) };
}

/**
 * Gives what of a form's values the service may be sent. What it only shows is left out; a name that it does not know is kept, so
 * that it says so.
 * @param properties the members that the body may have; none where the document does not tell
 */
export function writtenRecord(
  { shown, joined }: KnownResource,
  data: RecordData,
  properties: Readonly<Record<string, ApiSchema>>,
): RecordData {
  const isKnown = Object.keys(properties).length > 0;
  const isLeftOut = (name: string): boolean =>
    !Object.hasOwn(properties, name) &&
    (isKnown ? name === 'id' || Object.hasOwn(shown, name) || joined.has(name) : name === 'id');
  const entries = Object.entries(data).filter(([name, value]) => value !== undefined && !isLeftOut(name));
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typedValue(properties[name] ?? {}, value)]),
  );
}

/** Leaves out the values that are as they were; all of them stay where nothing has changed. */
export function changedValues(written: RecordData, previous: RecordData | undefined): RecordData {
  if (previous === undefined) return written;
  const isSame = ([name, value]: readonly [string, unknown]): boolean =>
    Object.hasOwn(previous, name) && contentOf(value) === contentOf(previous[name]);
  const changed = Object.entries(written).filter((entry) => !isSame(entry));
  return changed.length === 0 ? written : Object.fromEntries(changed);
}
