import type { ChangePlace } from '@nest-endpoints/core';
import type { SeenRecords, Sight } from '@nest-endpoints/core/internal';

/** Records that changed, and those of them that are seen. */
export interface Told {
  readonly place: ChangePlace;
  readonly keys: readonly string[];
  readonly seen: SeenRecords;
}

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
  readonly failed: (error: unknown) => void;
}

/** The streams of an endpoint that see the same: what changed is read once for all of them, with one statement. */
export class SightGroup {
  readonly streams = new Set<Follower>();
  readonly model: string;
  readonly interval: number;
  /** The read that is under way. */
  reading: Promise<void> | undefined;
  readonly #parts: GroupParts;
  #changed = new Set<string>();
  /** The place up to which {@link #changed} is known. */
  #known: ChangePlace;
  #told: ChangePlace;
  #readTime = -Infinity;

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
    const subject = first?.sight.subject;
    if (subject === undefined) for (const key of keys) this.#changed.add(key);
    else if (keys.has(subject)) this.#changed.add(subject);
    this.#known = place;
    if (this.reading !== undefined) return;
    if (this.#changed.size === 0) this.#told = place;
    else if (first !== undefined && performance.now() - this.#readTime >= this.interval - slack)
      this.reading = this.#read(first.sight).finally(() => {
        this.reading = undefined;
      });
  }

  async #read(sight: Sight): Promise<void> {
    const { maximumKeys, failed } = this.#parts;
    const [changed, place] = [this.#changed, this.#known];
    this.#changed = new Set();
    this.#readTime = performance.now();
    if (changed.size > maximumKeys) {
      this.#told = place;
      for (const stream of [...this.streams]) stream.restart();
      return;
    }
    try {
      const keys = [...changed];
      const seen = await sight.seen(keys);
      this.#told = place;
      for (const stream of [...this.streams]) stream.tell({ place, keys, seen });
    } catch (error) {
      for (const key of changed) this.#changed.add(key);
      failed(error);
    }
  }
}

/** Timers may be early by so much, in milliseconds. */
const slack = 5;
