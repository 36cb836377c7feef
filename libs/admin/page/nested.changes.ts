import { emptiedIn } from './emptied.columns.js';
import type { NestedRecords } from './model/screen.js';

type Entry = Readonly<Record<string, unknown>>;

/** The member of an entry that has the key of a record that there is, whatever people type. No column is called so. */
const member = '@key';

/** The operations of an Update that make the records that there were those of the form. */
export interface NestedChanges {
  readonly create: readonly Entry[];
  readonly update: readonly Entry[];
  readonly delete: readonly unknown[];
  /** The records of {@link update} as the form has shown them, with their keys. */
  readonly seen: readonly (readonly [key: unknown, record: Entry])[];
  /** The place in the form of each entry: `create.0` is the third one. */
  readonly places: ReadonlyMap<string, number>;
}

/** Makes an entry of a form of a record that there is. */
export function storedEntry({ shownKey }: NestedRecords, record: Entry): Entry {
  return { ...record, [member]: record[shownKey] };
}

/** True for an entry of a record that there is. */
export function isStored(entry: Entry | undefined): boolean {
  // A new one has the members of others, without their values.
  return (entry?.[member] ?? undefined) !== undefined;
}

/**
 * Compares what a form has with what there was.
 * @throws Error for a record with another key: it would be deleted, and another one made
 */
export function nestedChanges(
  nested: NestedRecords,
  before: readonly Entry[],
  after: readonly Entry[],
): NestedChanges {
  const { keyName, shownKey } = nested;
  const known = new Map(before.map((entry) => [entry[member], entry]));
  const kept = new Set(after.map((entry) => entry[member]));
  const changes = { create: [] as Entry[], update: [] as Entry[], delete: [] as unknown[] };
  const places = new Map<string, number>();
  const seen: [unknown, Entry][] = [];
  for (const [place, entry] of after.entries()) {
    const key = entry[member];
    if (!isStored(entry)) {
      places.set(`create.${changes.create.length}`, place);
      changes.create.push(writtenEntry(nested, entry));
    } else {
      if (entry[shownKey] !== key) throw new Error(`‘${keyName}’ of ${String(key)} cannot be changed`);
      const old = known.get(key) ?? {};
      const changed = changedEntry(nested, old, entry);
      if (Object.keys(changed).length === 0) continue;
      places.set(`update.${changes.update.length}`, place);
      changes.update.push({ [keyName]: key, ...changed });
      seen.push([key, old]);
    }
  }
  changes.delete.push(...before.flatMap(({ [member]: key }) => (kept.has(key) ? [] : [key])));
  return { ...changes, seen, places };
}

/** The body that an Update takes; undefined where nothing has changed. */
export function bodyOf(changes: NestedChanges): object | undefined {
  const { places: _places, seen: _seen, ...operations } = changes;
  const entries = Object.entries(operations).filter(([, list]) => (list as readonly unknown[]).length > 0);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** The columns of an entry that bodies may have, without those that are empty. */
export function writtenEntry({ columns }: NestedRecords, entry: Entry): Entry {
  return Object.fromEntries(
    columns.flatMap(({ name }) => {
      const value = entry[name];
      return value === undefined || value === null || value === '' ? [] : [[name, value]];
    }),
  );
}

function changedEntry({ columns }: NestedRecords, old: Entry, entry: Entry): Entry {
  const changed = Object.fromEntries(
    columns.flatMap(({ name }) => {
      const [was = null, is = null] = [old[name], entry[name]];
      return JSON.stringify(is) === JSON.stringify(was) ? [] : [[name, is]];
    }),
  );
  return { ...changed, ...emptiedIn(columns, entry) };
}

/** The place in the form of a place in the body: `stops.create.0.title` is `stops.2.title`. */
export function formPlace(name: string, changes: NestedChanges, place: string): string {
  const [, operation, rest = ''] = /^((?:create|update)\.\d+)(.*)$/.exec(place.slice(name.length + 1)) ?? [];
  const index = operation === undefined ? undefined : changes.places.get(operation);
  return index === undefined ? place : `${name}.${index}${rest}`;
}
