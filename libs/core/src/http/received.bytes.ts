const empty = Buffer.alloc(0);

/**
 * Bytes in the order in which they came. Memory is taken for what is there, never for what somebody announces: it begins
 * with the first chunk and doubles. It is one buffer, because a list of chunks costs a hundred bytes for each, even a
 * short one.
 */
export class ReceivedBytes {
  #buffer: Buffer = empty;
  #size = 0;
  /** True if nobody else has a part of the buffer. */
  #isOwn = false;

  /** @param limit how many there may be */
  constructor(private readonly limit: number) {}

  /** Gives all of them away, to whoever asks once there are no more. */
  handOver(): Buffer {
    this.#isOwn = false;
    return this.#buffer.subarray(0, this.#size);
  }

  /**
   * @returns whether there are no more than the limit; nothing is added otherwise
   * @throws RangeError where there is no memory for it
   */
  add(chunk: Buffer): boolean {
    const start = this.#size;
    const size = start + chunk.length;
    if (size > this.limit) return false;
    this.#size = size;
    // Most bodies are one chunk, which needs no copy.
    if (start === 0) this.#buffer = chunk;
    else {
      if (size > this.#buffer.length) this.#grow(start, size);
      chunk.copy(this.#buffer, start);
    }
    return true;
  }

  /** Gives back the memory of what is there. */
  drop(): void {
    this.#release();
    this.#buffer = empty;
    this.#size = 0;
  }

  #grow(used: number, needed: number): void {
    const size = Math.min(Math.max(needed, 2 * this.#buffer.length), this.limit);
    // Never a part of memory that others have parts of, because it is given back as a whole.
    const larger = Buffer.allocUnsafeSlow(size);
    this.#buffer.copy(larger, 0, 0, used);
    this.#release();
    this.#buffer = larger;
    this.#isOwn = true;
  }

  /**
   * Gives memory back at once, which a garbage collection would do some time later: until then one body would hold twice its
   * size. The first chunk is the connection's.
   */
  #release(): void {
    if (this.#isOwn) (this.#buffer.buffer as ArrayBuffer).transfer(0);
    this.#isOwn = false;
  }
}
