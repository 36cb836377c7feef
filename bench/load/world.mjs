import { spread } from '../database/tables.mjs';

/** Where a case's values come from: the same seed gives the same values, whoever is asked. */
export class World {
  #state;
  #unused = 0;
  #deletable;

  /**
   * @param {{ records: number, seed: number, marker: string, deletable?: { first: number, last: number } }} facts
   *   `marker` tells the records that this run adds from those of any other
   */
  constructor({ records, seed, marker, deletable }) {
    this.records = records;
    this.spread = spread(records);
    this.marker = marker;
    this.#state = seed;
    this.#deletable = deletable === undefined ? undefined : { next: deletable.first, last: deletable.last };
  }

  /** A whole number from 0 to `size` - 1 (mulberry32: quick, and Math.random takes no seed). */
  below(size) {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296) * size);
  }

  oneOf(values) {
    return values[this.below(values.length)];
  }

  id() {
    return 1 + this.below(this.records);
  }

  unused() {
    this.#unused += 1;
    return `new-${this.marker}-${this.#unused}`;
  }

  /** Ids that were made to be deleted, each once; `undefined` when all are gone, which ends the measurement. */
  deletable() {
    if (this.#deletable.next > this.#deletable.last) return undefined;
    this.#deletable.next += 1;
    return this.#deletable.next - 1;
  }
}
