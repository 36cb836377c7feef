import type { ChangePlace } from '@nest-endpoints/core';
import { Cancellation, type Sight } from '@nest-endpoints/core/internal';
import type { Pace } from './pace.js';
import { readFirst, readTold, type FirstPage, type Told } from './told.js';

/** A stream, as its group knows it. */
export interface Follower {
  readonly sight: Sight;
  tell(told: Told): void;
  /** Has it begin anew: too much has changed to tell. */
  restart(): void;
}

/** The parts that a group is made of. */
interface GroupParts {
  /** The entity, by its name in the log. */
  readonly model: string;
  /** In milliseconds. */
  readonly interval: number;
  readonly maximumKeys: number;
  /** The time of each read, in milliseconds. */
  readonly timeLimit: number;
  /** The name of `data` on the wire. */
  readonly word: string;
  /** Runs a read as soon as not too many others are under way. */
  readonly inTurn: <T>(read: () => Promise<T>) => Promise<T>;
  readonly pace: Pace;
  readonly failed: (error: unknown) => void;
}

/** Timers may be early by so much, in milliseconds. */
const slack = 5;

/** The reads that may fail one after the other: each waits twice as long as the one before. Then streams begin anew. */
const mostFailures = 3;

/** The streams of an endpoint that see the same: what changed is read once for all of them. */
export class SightGroup {
  readonly streams = new Set<Follower>();
  readonly model: string;
  readonly interval: number;
  readonly #parts: GroupParts;
  /** Gives its reads up when nobody listens any more. */
  readonly #over = new Cancellation();
  #isReading = false;
  #changed = new Set<string>();
  /** True if more has changed than is told: {@link #changed} does not have it. */
  #isTooMuch = false;
  /** The place up to which {@link #changed} is known. */
  #known: ChangePlace;
  #told: ChangePlace;
  #readTime = -Infinity;
  /** The reads that failed, one after the other. */
  #failures = 0;
  /** The first page, while it is read for streams that begin anew, and nothing was told since. */
  #first: Promise<FirstPage | undefined> | undefined;

  /** @param place the place that everything is told behind */
  constructor(parts: GroupParts, place: ChangePlace) {
    this.#parts = parts;
    this.model = parts.model;
    this.interval = parts.interval;
    this.#known = this.#told = place;
  }

  /** The place up to which everything is told. */
  get place(): ChangePlace {
    return this.#told;
  }

  /** Takes the keys of records that changed before `place`, and has them read when it is time. */
  tell(keys: ReadonlySet<string>, place: ChangePlace): void {
    const [first] = this.streams;
    this.#add(keys, first?.sight.subject);
    this.#known = place;
    if (this.#isReading) return;
    if (this.#changed.size === 0 && !this.#isTooMuch) this.#told = place;
    else if (first !== undefined && performance.now() - this.#readTime >= this.#pause - slack)
      void this.#read(first.sight);
  }

  /**
   * Reads the first page for streams that begin anew, once for all that do so at the same place, and shows it to one.
   * @throws Error where it cannot be read
   */
  async showFirst(sight: Sight, show: (first: FirstPage | undefined) => void): Promise<void> {
    const first = await (this.#first ??= this.#readFirst(sight));
    await this.#parts.pace.run(() => {
      show(first);
    });
  }

  /** Gives up what is read: nobody listens any more. */
  close(): void {
    this.#over.cancel(new Error('nobody listens any more'));
  }

  get #pause(): number {
    return this.interval * 2 ** this.#failures;
  }

  #add(keys: ReadonlySet<string>, subject: string | undefined): void {
    if (subject === undefined) for (const key of keys) this.#changed.add(key);
    else if (keys.has(subject)) this.#changed.add(subject);
    if (this.#changed.size <= this.#parts.maximumKeys) return;
    this.#isTooMuch = true;
    this.#changed.clear();
  }

  #readFirst(sight: Sight): Promise<FirstPage | undefined> {
    const reading = this.#within((cancellation) => readFirst(sight, this.#parts.word, cancellation)).finally(
      () => {
        if (this.#first === reading) this.#first = undefined;
      },
    );
    return reading;
  }

  async #read(sight: Sight): Promise<void> {
    const [changed, isTooMuch] = [this.#changed, this.#isTooMuch];
    const [keys, place] = [[...changed], this.#known];
    this.#isReading = true;
    this.#changed = new Set();
    this.#isTooMuch = false;
    this.#readTime = performance.now();
    try {
      const read = (own: Cancellation): Promise<Told | undefined> =>
        readTold(sight, { keys, place }, this.#parts.word, own);
      await this.#tellAll(isTooMuch ? undefined : await this.#within(read));
      this.#told = place;
      this.#failures = 0;
    } catch (error) {
      this.#again(changed, error);
    } finally {
      this.#isReading = false;
    }
  }

  #within<T>(read: (cancellation: Cancellation) => Promise<T>): Promise<T> {
    const { inTurn, timeLimit } = this.#parts;
    return inTurn(() => Cancellation.within(timeLimit, read, this.#over));
  }

  /** Has what could not be read be read once more. What fails again and again may be too much: the first page is less. */
  #again(changed: ReadonlySet<string>, error: unknown): void {
    if (this.#over.reason !== undefined) return;
    this.#failures += 1;
    this.#add(changed, undefined);
    if (this.#failures >= mostFailures) this.#isTooMuch = true;
    this.#parts.failed(error);
  }

  /** Tells the streams, with pauses for whoever else waits. Those that join meanwhile are told, too. */
  async #tellAll(told: Told | undefined): Promise<void> {
    // What is being read may be older than what is told now.
    this.#first = undefined;
    for (const stream of this.streams)
      await this.#parts.pace.run(() => {
        if (told === undefined) stream.restart();
        else stream.tell(told);
      });
  }
}
