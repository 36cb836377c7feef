/** The most entries of a memory. */
const most = 1000;

/** A map that forgets: beyond a thousand entries the one goes that was put longest ago. */
export class BoundedMemory<Value> {
  readonly #entries = new Map<string, Value>();

  get(key: string): Value | undefined {
    return this.#entries.get(key);
  }

  /** Puts an entry behind all others. */
  put(key: string, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > most && oldest !== undefined) this.#entries.delete(oldest);
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }
}
