import { AsyncLocalStorage } from 'node:async_hooks';
import type { ChangePlace } from '@nest-endpoints/core';
import { changePlace, readChangedKeys, type LiveSource } from '@nest-endpoints/core/internal';
import { Logger } from '@nestjs/common';
import type { Follower, SightGroup } from './sight.group.js';
import { isBehind } from './stream.place.js';

/** The changes that are read with one statement, and the statements of one look. */
const page = 500;
const pagesPerLook = 20;

/** The time between two lines in the log that the database cannot be read, in milliseconds. */
const logPeriod = 60_000;

const none: ReadonlySet<string> = new Set();

type Manager = ReturnType<LiveSource['em']>;

/** Reads the log of changes of one database for all streams of this process, as long as there are some. */
export class ChangeFeed {
  readonly #logger = new Logger('Endpoints');
  readonly #groups = new Map<string, SightGroup>();
  /** Runs what is part of no request. */
  readonly #outside = AsyncLocalStorage.snapshot();
  #place: Promise<ChangePlace> | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** The time from one look to the next, in milliseconds. */
  #period = Infinity;
  #looking: Promise<void> | undefined;
  #toldTime = -Infinity;

  constructor(private readonly em: () => Manager) {}

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
    this.#groups.delete(key);
    if (this.#groups.size === 0) this.#stop();
  }

  /** The keys of records of an entity that changed between two places; undefined where these are more than `limit`. */
  async between(
    model: string,
    from: ChangePlace,
    to: ChangePlace,
    limit: number,
  ): Promise<readonly string[] | undefined> {
    return this.#outside(async () => {
      const keys = new Set<string>();
      let after = from;
      for (let count = 0; count < pagesPerLook; count += 1) {
        const changes = await readChangedKeys(this.em(), after, page);
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

  /** Waits for what is being read. */
  async close(): Promise<void> {
    this.#stop();
    await this.#looking;
    await Promise.all([...this.#groups.values()].map(async ({ reading }) => reading));
  }

  async #begun(): Promise<ChangePlace> {
    const beginning = (this.#place ??= this.#outside(() => changePlace(this.em())));
    try {
      return await beginning;
    } catch (error) {
      if (this.#place === beginning) this.#place = undefined;
      throw error;
    }
  }

  #stop(): void {
    this.#clear();
    this.#place = undefined;
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
    const timer = this.#outside(() => setTimeout(look, this.#period).unref());
    this.#timer = timer;
  }

  /** Reads what changed since the last look, and has each group read its records. */
  async #look(): Promise<void> {
    const beginning = this.#place;
    if (beginning === undefined) return;
    try {
      let place = await beginning;
      const keys = new Map<string, Set<string>>();
      for (let count = 0; count < pagesPerLook; count += 1) {
        const changes = await readChangedKeys(this.em(), place, page);
        for (const { model, recordId } of changes) keysOf(keys, model).add(recordId);
        place = changes.at(-1) ?? place;
        if (changes.length < page) break;
      }
      if (this.#place !== beginning) return;
      const { transaction, id } = place;
      this.#place = Promise.resolve({ transaction, id });
      for (const group of this.#groups.values())
        group.tell(keys.get(group.model) ?? none, { transaction, id });
    } catch (error) {
      this.failed(error);
    }
  }

  /** Tells the log, now and then, that the database could not be read; the next look tries again. */
  readonly failed = (error: unknown): void => {
    const now = performance.now();
    if (now - this.#toldTime < logPeriod) return;
    this.#toldTime = now;
    const reason = error instanceof Error ? error.message : String(error);
    this.#logger.warn(`Live lists could not read what changed; they try again: ${reason}`);
  };
}

function keysOf(all: Map<string, Set<string>>, model: string): Set<string> {
  const known = all.get(model) ?? new Set<string>();
  all.set(model, known);
  return known;
}
