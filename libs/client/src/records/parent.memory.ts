import type { KnownResource } from '../document/resource.reader.js';
import { BoundedMemory } from './bounded.memory.js';
import type { RecordData } from './record.query.js';

/**
 * The keys of parents as records have shown them last: forms send whole records, and not every front end says what a form has shown.
 */
export class ParentMemory {
  readonly #keys = new BoundedMemory<RecordData>();

  /** Keeps what a record shows. What it does not show is as it was. */
  keep(path: string, record: RecordData, { joined }: KnownResource): void {
    const shown = Object.entries(record).filter(([name]) => joined.has(name));
    if (shown.length > 0) this.#keys.put(path, { ...this.#keys.get(path), ...Object.fromEntries(shown) });
  }

  /**
   * Keeps what a record of a list shows, where that may be needed: a key that is null, or one that is known otherwise. A long list would
   * push out what forms have shown.
   */
  keepListed(path: string, record: RecordData, resource: KnownResource): void {
    const hasNone = [...resource.joined.keys()].some(
      (name) => Object.hasOwn(record, name) && record[name] === null,
    );
    if (hasNone || this.#keys.get(path) !== undefined) this.keep(path, record, resource);
  }

  /** Forgets a record that was written without an answer that shows it. */
  forget(path: string): void {
    this.#keys.delete(path);
  }

  /** The keys that were shown last; undefined for a record that has shown none. */
  of(path: string): RecordData | undefined {
    return this.#keys.get(path);
  }
}
