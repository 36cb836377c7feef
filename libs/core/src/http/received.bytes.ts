const empty = Buffer.alloc(0);

/**
 * Bytes in the order in which they came. Memory is taken for what is there, never for what somebody announces: it begins
 * with the first chunk and doubles. It is one buffer, because a list of chunks costs a hundred bytes for each, even a
 * short one.
 */
export class ReceivedBytes {
  #buffer: Buffer = empty;
  #size = 0;

  /** @param limit how many there may be */
  constructor(private readonly limit: number) {}

  get all(): Buffer {
    return this.#buffer.subarray(0, this.#size);
  }

  /**
   * @returns whether there are no more than the limit; what was there before is dropped otherwise
   * @throws RangeError where there is no memory for it
   */
  add(chunk: Buffer): boolean {
    const start = this.#size;
    const size = start + chunk.length;
    if (size > this.limit) {
      this.#buffer = empty;
      this.#size = 0;
      return false;
    }
    this.#size = size;
    // Most bodies are one chunk, which needs no copy.
    if (start === 0) this.#buffer = chunk;
    else {
      if (size > this.#buffer.length) this.#grow(start, size);
      chunk.copy(this.#buffer, start);
    }
    return true;
  }

  #grow(used: number, needed: number): void {
    const larger = Buffer.allocUnsafe(Math.min(Math.max(needed, 2 * this.#buffer.length), this.limit));
    this.#buffer.copy(larger, 0, 0, used);
    this.#buffer = larger;
  }
}
