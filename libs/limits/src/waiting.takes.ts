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

/** Requests that wait for the next statement. One key is in it once, so that requests that ask otherwise wait for another. */
export class WaitingTakes {
  #waiting: WaitingTake[] = [];

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  add(...waiting: readonly WaitingTake[]): void {
    this.#waiting.push(...waiting);
  }

  /** Takes out what the next statement counts; no key asks for more than a whole quota. */
  next(): readonly AskedTogether[] {
    const asked = new Map<string, WaitingTake[]>();
    const later: WaitingTake[] = [];
    for (const one of this.#waiting) {
      const { key, cost, quota, window } = one.take;
      const known = asked.get(key);
      const first = known?.[0]?.take;
      if (known === undefined) asked.set(key, [one]);
      else if (
        first?.cost === cost &&
        first.quota === quota &&
        first.window === window &&
        (known.length + 1) * cost <= quota
      )
        known.push(one);
      else later.push(one);
    }
    this.#waiting = later;
    return [...asked.values()].flatMap((waiting) => {
      const [first] = waiting;
      return first === undefined ? [] : [{ take: first.take, waiting }];
    });
  }
}
