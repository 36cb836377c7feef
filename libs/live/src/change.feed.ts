import type { AsyncLocalStorage } from 'node:async_hooks';
import type { ChangePlace } from '@nest-endpoints/core';
import {
  changePlace,
  readChangedKeys,
  type Cancellation,
  type LiveSource,
} from '@nest-endpoints/core/internal';
import type { Follower, SightGroup } from './sight.group.js';
import { beginning, isBehind, type StreamPlace } from './stream.place.js';
import { TroubleLog } from './trouble.log.js';

/** The changes that are read with one statement, and the statements of one look. */
const page = 500;
const pagesPerLook = 20;

const none: ReadonlySet<string> = new Set();

type Manager = Parameters<Parameters<LiveSource['read']>[1]>[0];

/** Runs a read, which whoever alone waits for it may give up. */
type Reader = <T>(work: (em: Manager) => Promise<T>, cancellation?: Cancellation) => Promise<T>;

/** Runs what is part of no request. */
export type Outside = ReturnType<typeof AsyncLocalStorage.snapshot>;

/** Reads the log of changes of one database for all streams of this process, as long as there are some. */
export class ChangeFeed {
  readonly #groups = new Map<string, SightGroup>();
  /** The reads of records that are under way, or wait for their turn. */
  readonly #running = new Set<Promise<unknown>>();
  readonly #trouble = new TroubleLog('Live lists could not read what changed; they try again, or begin anew');
  #place: Promise<ChangePlace> | undefined;
  /** The keys of what changed up to {@link #place}, by model, which groups were not told of yet. */
  #untold = new Map<string, Set<string>>();
  #timer: NodeJS.Timeout | undefined;
  /** The time from one look to the next, in milliseconds. */
  #period = Infinity;
  #looking: Promise<void> | undefined;

  /**
   * @param read runs a read of the log
   * @param turns runs a read of records as soon as not too many others are under way
   * @param outside that of the service: what is read is for all streams, and not for the request of the first
   */
  constructor(
    private readonly read: Reader,
    private readonly turns: <T>(read: () => Promise<T>) => Promise<T>,
    private readonly outside: Outside,
  ) {}

  /** Runs a read of records in its turn. */
  readonly inTurn = async <T>(read: () => Promise<T>): Promise<T> => {
    const running = this.turns(read);
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  };

  /** Tells the log, now and then, what could not be read. */
  readonly failed = this.#trouble.tell;

  /**
   * Has a stream told from now on of what changes, together with those that see the same.
   *
   * @param key of its group
   * @param make makes a group that is new
   */
  async join(key: string, stream: Follower, make: (place: ChangePlace) => SightGroup): Promise<SightGroup> {
    const place = await this.#begun();
    // The last of the other streams may have left meanwhile.
    this.#place ??= Promise.resolve(place);
    const group = this.#groups.get(key) ?? make(place);
    group.streams.add(stream);
    this.#groups.set(key, group);
    if (group.interval < this.#period && this.#looking === undefined) this.#clear();
    this.#schedule();
    return group;
  }

  /** Lets a stream go. Without streams nothing is read. */
  leave(key: string, stream: Follower): void {
    const group = this.#groups.get(key);
    if (group?.streams.delete(stream) !== true || group.streams.size > 0) return;
    group.close();
    this.#groups.delete(key);
    if (this.#groups.size === 0) this.#stop();
  }

  /** The keys of records of an entity that changed between two places; undefined where these are more than `limit`. */
  async between(
    model: string,
    from: ChangePlace,
    to: ChangePlace,
    limit: number,
    cancellation: Cancellation,
  ): Promise<readonly string[] | undefined> {
    return this.outside(async () => {
      const keys = new Set<string>();
      let after = from;
      for (let count = 0; count < pagesPerLook; count += 1) {
        const changes = await this.#changes(after, page, cancellation);
        for (const change of changes)
          if (change.model === model && !isBehind(change, to)) keys.add(change.recordId);
        const last = changes.at(-1);
        if (keys.size > limit) return undefined;
        if (last === undefined || changes.length < page || isBehind(last, to)) return [...keys];
        after = last;
      }
      return undefined;
    });
  }

  /** True if the log still has whatever changed behind a place. @param keepFor in milliseconds */
  async goesBackTo(
    { at, time }: StreamPlace,
    keepFor: number | 'forever',
    cancellation: Cancellation,
  ): Promise<boolean> {
    if (keepFor !== 'forever') return time + keepFor >= Date.now();
    // Somebody may take the oldest ones away, with a partition of the log: where one of them is left, nothing behind it is gone.
    const [oldest] = await this.outside(() => this.#changes(beginning, 1, cancellation));
    return oldest !== undefined && !isBehind(oldest, at);
  }

  /** Waits for what is being read. */
  async close(): Promise<void> {
    this.#stop();
    await Promise.allSettled([this.#looking, ...this.#running]);
  }

  async #begun(): Promise<ChangePlace> {
    const begun = (this.#place ??= this.outside(() => this.read(changePlace)));
    try {
      return await begun;
    } catch (error) {
      if (this.#place === begun) this.#place = undefined;
      throw error;
    }
  }

  #stop(): void {
    this.#clear();
    this.#place = undefined;
    this.#untold.clear();
  }

  #clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#period = Infinity;
  }

  #schedule(): void {
    if (this.#timer !== undefined || this.#groups.size === 0) return;
    this.#period = Math.min(...[...this.#groups.values()].map((group) => group.interval));
    const look = (): void => {
      this.#looking = this.#look().finally(() => {
        this.#looking = undefined;
        if (this.#timer !== timer) return;
        this.#clear();
        this.#schedule();
      });
    };
    const timer = this.outside(() => setTimeout(look, this.#period).unref());
    this.#timer = timer;
  }

  /** Reads what changed since the last look, and has each group read its records. */
  async #look(): Promise<void> {
    let known = this.#place;
    if (known === undefined) return;
    try {
      for (let count = 0; count < pagesPerLook; count += 1) {
        const changes = await this.#changes(await known, page);
        // The last stream may have left meanwhile, and another one may have come.
        if (this.#place !== known) return;
        for (const { model, recordId } of changes) keysOf(this.#untold, model).add(recordId);
        const last = changes.at(-1);
        // What is read is kept, whatever becomes of the next page.
        if (last !== undefined) known = this.#place = Promise.resolve(placeOf(last));
        if (changes.length < page) break;
      }
      const place = await known;
      const keys = this.#untold;
      this.#untold = new Map();
      for (const group of this.#groups.values()) group.tell(keys.get(group.model) ?? none, place);
    } catch (error) {
      this.failed(error);
    }
  }

  #changes(
    after: ChangePlace,
    limit: number,
    cancellation?: Cancellation,
  ): ReturnType<typeof readChangedKeys> {
    return this.read((em) => readChangedKeys(em, after, limit), cancellation);
  }
}

function placeOf({ transaction, id }: ChangePlace): ChangePlace {
  return { transaction, id };
}

function keysOf(all: Map<string, Set<string>>, model: string): Set<string> {
  const known = all.get(model) ?? new Set<string>();
  all.set(model, known);
  return known;
}
