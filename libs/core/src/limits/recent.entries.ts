/** Entries of which the least recently used one goes when there are too many. */
export class RecentEntries<K, V> {
  readonly #entries = new Map<K, V>();
  #last: K | undefined;

  constructor(private readonly limit: number) {}

  get size(): number {
    return this.#entries.size;
  }

  /** The value of a key, which counts as used by that. */
  get(key: K): V | undefined {
    const value = this.#entries.get(key);
    // What was used last is used again mostly, and stands where it should.
    if (value === undefined || key === this.#last) return value;
    this.#entries.delete(key);
    this.#put(key, value);
    return value;
  }

  /** The key of the entry that had to go. */
  set(key: K, value: V): K | undefined {
    this.#entries.delete(key);
    this.#put(key, value);
    if (this.#entries.size <= this.limit) return undefined;
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined) this.#entries.delete(oldest);
    return oldest;
  }

  delete(key: K): void {
    this.#entries.delete(key);
  }

  #put(key: K, value: V): void {
    this.#entries.set(key, value);
    this.#last = key;
  }
}
