import type { Resource } from '../document/resource.js';
import { isObject } from '../wire/names.js';
import { BoundedMemory } from './bounded.memory.js';
import type { RecordData, RecordId } from './record.query.js';

/** A record as it was read last; without a version where a list has shown it otherwise since. */
interface LatestRecord {
  readonly record: RecordData;
  readonly version?: string;
}

/**
 * The entity tags of records that were read, by their content: a form that is sent long after it was opened names the version
 * that it shows, whatever was read since. Two versions of one content are as good as one.
 */
export class VersionMemory {
  readonly #byContent = new BoundedMemory<string>();
  readonly #latest = new BoundedMemory<LatestRecord>();

  /** Keeps the version of a record. */
  keep(path: string, record: RecordData, version: string | undefined): void {
    if (version === undefined) return;
    this.#byContent.put(contentKey(path, record), version);
    this.#latest.put(path, { record, version });
  }

  /** Keeps a record that a list has shown, where it is other than the one that was read last. */
  show(path: string, record: RecordData, resource: Pick<Resource, 'columns'>): void {
    const { record: known } = this.#latest.get(path) ?? {};
    if (known === undefined) return;
    const shown = comparablePart(record, known, resource);
    if (!isContained(shown, known)) this.#latest.put(path, { record: shown });
  }

  /** The version of a record with this content. */
  of(path: string, record: RecordData): string | undefined {
    return this.#byContent.get(contentKey(path, record));
  }

  /** The record that was read last. */
  latest(path: string): LatestRecord | undefined {
    return this.#latest.get(path);
  }

  /** Forgets a record that is gone, or was changed without a version. */
  forget(path: string): void {
    this.#latest.delete(path);
  }
}

function contentKey(path: string, record: RecordData): string {
  return `${path}\n${contentOf(record)}`;
}

/** Writes a value as JSON whose members are in the order of their names. */
export function contentOf(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}

/**
 * Gives the part of a record by which another reading of it tells whether somebody has changed it: what both show, and requests write.
 * Lists may show less of parents, whose keys are written, and what is computed may be other at each time. Where nothing is written,
 * all counts but parents.
 */
export function comparablePart(
  record: RecordData,
  other: RecordData,
  { columns }: Pick<Resource, 'columns'>,
): RecordData {
  const isWritten = (name: string): boolean => {
    const { isCreatable = false, isUpdatable = false } = columns.get(name) ?? {};
    return isCreatable || isUpdatable;
  };
  const isReadOnly = ![...columns.keys()].some(isWritten);
  const shared = Object.entries(record).filter(
    ([name, value]) => Object.hasOwn(other, name) && (isReadOnly ? !isObject(value) : isWritten(name)),
  );
  return Object.fromEntries(shared);
}

/** True if both records have the same values, as far as the first one goes. */
export function isContained(known: RecordData, current: RecordData): boolean {
  return Object.entries(known).every(
    ([name, value]) => value === undefined || contentOf(value) === contentOf(current[name]),
  );
}

/** The text that an id is in a path. */
export const idText = (id: RecordId): string => {
  if (typeof id === 'number' && !Number.isSafeInteger(id) && Number.isInteger(id))
    throw new TypeError(
      `${String(id)} is beyond 2^53, where numbers are no longer exact: give the id as text`,
    );
  return String(id);
};
