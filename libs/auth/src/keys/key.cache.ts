import { ServiceUnavailable } from '@nest-endpoints/core';
import type { Clock } from '../clock.js';
import type { Algorithm } from '../token/algorithm.table.js';
import type { KeyReader } from './key.reader.js';
import { KeySet } from './key.set.js';
import type { PublicKey } from './public.key.js';

/** The times of a cache of keys, in milliseconds. */
export interface KeyTimes {
  /** The time for which a reading is good; 0 reads anew for every request. */
  readonly cacheTime: number;
  /** The time after that in which an old reading serves while the key server is out of reach. */
  readonly gracePeriod: number;
  /** The pause between two readings for the sake of unknown kids, and the longest between two that fail. */
  readonly cooldown: number;
}

/** The pause after the first reading that fails while there are no keys; it doubles up to the cool-down. */
const firstPause = 1000;

interface Reading {
  readonly keys: KeySet;
  /** The time when it was asked for. */
  readonly time: number;
  /** The number of the reading, from 1. It orders readings between which no time passed. */
  readonly number: number;
}

/**
 * The keys of one key server. There is one reading at a time. Good keys are never replaced by an answer without any.
 * While the server is out of reach, the last good ones still serve, and no request waits for it.
 */
export class KeyCache {
  #reading: Reading | undefined;
  #flight: Promise<Reading> | undefined;
  /** The number of readings that were begun. */
  #begun = 0;
  #failures = 0;
  /** Before this, nothing is read again after a failure. */
  #retryTime = -Infinity;
  /** Before this, nothing is read again for an unknown kid. */
  #unknownTime = -Infinity;

  /** @param failed hears why a reading failed, and for how many milliseconds the keys of the last good one are known */
  constructor(
    private readonly read: KeyReader,
    private readonly times: KeyTimes,
    private readonly clock: Clock,
    private readonly failed: (error: unknown, age: number | undefined) => void,
  ) {}

  /** The keys, if they are good without asking the key server; else undefined. */
  atHand(): KeySet | undefined {
    const now = this.clock.elapsed();
    const reading = this.#reading;
    if (reading === undefined) return undefined;
    const isServing = this.#isFresh(reading, now) || (this.#isInGrace(reading, now) && now < this.#retryTime);
    return isServing ? reading.keys : undefined;
  }

  /**
   * The key that a token names.
   *
   * @throws InvalidToken when there is none
   * @throws ServiceUnavailable when no keys could be read
   */
  async find(kid: string, alg: Algorithm): Promise<PublicKey> {
    const begun = this.#begun;
    const current = await this.#current(this.clock.elapsed());
    const reading = current.keys.has(kid) ? current : await this.#renewed(current, kid, begun);
    return reading.keys.get(kid, alg);
  }

  #isFresh({ time }: Reading, now: number): boolean {
    return now - time < this.times.cacheTime;
  }

  #isInGrace({ time }: Reading, now: number): boolean {
    const { cacheTime, gracePeriod } = this.times;
    return cacheTime > 0 && now - time < cacheTime + gracePeriod;
  }

  async #current(now: number): Promise<Reading> {
    const reading = this.#reading;
    if (reading !== undefined && this.#isFresh(reading, now)) return reading;
    if (reading === undefined || !this.#isInGrace(reading, now)) {
      if (now < this.#retryTime) throw this.#unavailable();
      return this.#load();
    }
    if (now < this.#retryTime) return reading;
    const renewed = this.#load().catch(() => reading);
    // The first request after the cache time waits for new keys. Once they did not come, no other one does.
    return this.#failures > 0 ? reading : renewed;
  }

  /**
   * A newer reading for an unknown kid, if one may be had.
   *
   * @param begun how many readings were begun when the token came: a later one knows whatever there is to know
   */
  async #renewed(known: Reading, kid: string, begun: number): Promise<Reading> {
    if (known.number > begun) return known;
    const reading = this.#flight === undefined ? known : await this.#flight.catch(() => known);
    const now = this.clock.elapsed();
    const isKnown = reading.keys.has(kid) || reading.number > begun;
    if (isKnown || now < this.#retryTime || now < this.#unknownTime) return reading;
    this.#unknownTime = now + this.times.cooldown;
    return this.#load().catch(() => reading);
  }

  #load(): Promise<Reading> {
    this.#flight ??= this.#attempt().finally(() => (this.#flight = undefined));
    return this.#flight;
  }

  async #attempt(): Promise<Reading> {
    const time = this.clock.elapsed();
    const number = (this.#begun += 1);
    try {
      const keys = await KeySet.of(await this.read(), this.#reading?.keys);
      this.#failures = 0;
      this.#retryTime = -Infinity;
      return (this.#reading = { keys, time, number });
    } catch (error) {
      const now = this.clock.elapsed();
      this.#failures += 1;
      this.#retryTime = now + this.#pause();
      this.failed(error, this.#reading === undefined ? undefined : now - this.#reading.time);
      throw this.#unavailable(error);
    }
  }

  #pause(): number {
    const { cacheTime, cooldown } = this.times;
    if (cacheTime === 0) return 0;
    return this.#reading === undefined
      ? Math.min(cooldown, firstPause * 2 ** (this.#failures - 1))
      : cooldown;
  }

  #unavailable(
    cause: unknown = new Error('the key server was out of reach a moment ago'),
  ): ServiceUnavailable {
    const pause = Math.ceil((this.#retryTime - this.clock.elapsed()) / 1000);
    return new ServiceUnavailable({ cause }, Math.max(1, pause));
  }
}
