import { isLate, late } from './late.takes.js';
import type { Take, Taken } from './limit.store.js';

/** A request that waits to be counted. */
export interface WaitingTake {
  readonly take: Take;
  readonly resolve: (taken: Taken) => void;
  readonly reject: (error: unknown) => void;
}

/** Requests of one key that all ask for the same, which one row of a statement counts. */
export interface AskedTogether {
  readonly take: Take;
  readonly waiting: readonly WaitingTake[];
}

/** The least number of requests at which those are looked for that nobody waits for any more. */
const few = 1000;

/**
 * Requests that wait for the next statement. One key is in it once, so that requests that ask otherwise wait for another. What
 * nobody waits for any more is given up, also while no statement ends.
 */
export class WaitingTakes {
  readonly #byKey = new Map<string, WaitingTake[]>();
  readonly #counting = new Set<string>();
  #size = 0;
  /** The number of requests at which late ones are looked for: twice as many as were left of the last look. */
  #many = few;

  get isEmpty(): boolean {
    return this.#size === 0;
  }

  add(waiting: readonly WaitingTake[]): void {
    for (const one of waiting) {
      const same = this.#byKey.get(one.take.key);
      if (same === undefined) this.#byKey.set(one.take.key, [one]);
      else same.push(one);
    }
    this.#size += waiting.length;
    if (this.#size < this.#many) return;
    this.#giveUpLate();
    this.#many = Math.max(few, 2 * this.#size);
  }

  /**
   * Takes out what the next statement counts; no key asks for more than a whole quota. Keys of a statement that has not ended
   * wait: it has locked their rows.
   */
  next(): readonly AskedTogether[] {
    this.#giveUpLate();
    return [...this.#byKey].flatMap(([key, [first]]) => {
      if (first === undefined || this.#counting.has(key)) return [];
      this.#counting.add(key);
      const { take } = first;
      let room = take.quota;
      const waiting = this.#takeOut(key, ({ take: other }) => {
        const isAsked = isAlike(take, other) && take.cost === other.cost && take.cost <= room;
        if (isAsked) room -= take.cost;
        return isAsked;
      });
      return [{ take, waiting }];
    });
  }

  /** Says that a statement has ended. */
  counted(asked: readonly AskedTogether[]): void {
    for (const { take } of asked) this.#counting.delete(take.key);
  }

  /** Takes out those for which too little of a quota is left: whoever comes at the same time is refused at the same time. */
  beyond(take: Take, left: number): readonly WaitingTake[] {
    return this.#takeOut(take.key, ({ take: other }) => isAlike(take, other) && other.cost > left);
  }

  #giveUpLate(): void {
    for (const key of [...this.#byKey.keys()])
      for (const { reject } of this.#takeOut(key, ({ take }) => isLate(take))) reject(late);
  }

  #takeOut(key: string, isOut: (waiting: WaitingTake) => boolean): readonly WaitingTake[] {
    const out: WaitingTake[] = [];
    const kept: WaitingTake[] = [];
    for (const one of this.#byKey.get(key) ?? []) (isOut(one) ? out : kept).push(one);
    if (kept.length === 0) this.#byKey.delete(key);
    else if (out.length > 0) this.#byKey.set(key, kept);
    this.#size -= out.length;
    return out;
  }
}

/** True if two requests of a key take of one quota. */
function isAlike(one: Take, other: Take): boolean {
  return one.quota === other.quota && one.window === other.window;
}
