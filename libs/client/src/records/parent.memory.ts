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

  /** The keys that were shown last; undefined for a record that has shown none. */
  of(path: string): RecordData | undefined {
    return this.#keys.get(path);
  }
}
