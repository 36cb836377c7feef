import { checkOptions, optionChecks, type OptionChecks } from '@nest-endpoints/core';
import { periodEnd } from './calendar.period.js';
import { smoothCount } from './smooth.count.js';
import type { LimitStore, Take, Taken } from './limit.store.js';

/** Gives the time. */
export interface LimitClock {
  /** In milliseconds since 1970. */
  now(): number;
}

/** Options of {@link MemoryLimits}. */
export interface MemoryLimitsOptions {
  /** The most keys that are kept, from 1; the one that was used longest ago goes. Default 100,000. */
  readonly maximumKeys?: number;
  /** Default: the clock of the machine as it was at the start, and from then on one that is not set. */
  readonly clock?: LimitClock;
}

interface Count {
  /** The time at which all of the quota is there again: of a smooth limit soon, else the end of the period. */
  readonly whole: number;
  /** The part that is used in the period. */
  readonly used: number;
}

const checks: OptionChecks = {
  maximumKeys: optionChecks.wholeNumber(1),
  clock: optionChecks.objectThat('an object with a method now', 'now'),
};

const steady: LimitClock = { now: () => performance.timeOrigin + performance.now() };

/** Counts in the memory of this process. Each process of a service has counts of its own. */
export class MemoryLimits implements LimitStore {
  readonly isInProcess = true;
  readonly #counts = new Map<string, Count>();
  readonly #most: number;
  readonly #clock: LimitClock;

  constructor(options: MemoryLimitsOptions = {}) {
    checkOptions('MemoryLimits', options, { checks });
    const { maximumKeys = 100_000, clock = steady } = options;
    this.#most = maximumKeys;
    this.#clock = clock;
  }

  /** The number of keys that are kept. */
  get size(): number {
    return this.#counts.size;
  }

  take(take: Take): Taken {
    const { key, window } = take;
    const now = this.#clock.now();
    const known = this.#counts.get(key);
    // Used last, gone last.
    if (known !== undefined) this.#counts.delete(key);
    const [count, taken] =
      typeof window === 'number'
        ? smooth({ ...take, window }, known, now)
        : ofPeriod(take, known, now, periodEnd(window, now));
    this.#counts.set(key, count);
    if (this.#counts.size > this.#most) this.#dropOldest();
    return taken;
  }

  #dropOldest(): void {
    const [oldest] = this.#counts.keys();
    if (oldest !== undefined) this.#counts.delete(oldest);
  }
}

function smooth(
  take: Take & { readonly window: number },
  known: Count | undefined,
  now: number,
): [Count, Taken] {
  const { quota, window, cost } = take;
  const before = Math.max(known?.whole ?? 0, now);
  const after = before + (window / quota) * cost * 1000;
  // A microsecond, so that rounding refuses nobody.
  const allowed = after - now <= window * 1000 + 0.001;
  const whole = allowed ? after : before;
  return [{ whole, used: 0 }, smoothCount(take, (whole - now) / 1000, allowed)];
}

function ofPeriod({ quota, cost }: Take, known: Count | undefined, now: number, end: number): [Count, Taken] {
  const before = known !== undefined && known.whole > now ? known.used : 0;
  const allowed = before + cost <= quota;
  const used = allowed ? before + cost : before;
  const reset = (end - now) / 1000;
  return [
    { whole: end, used },
    { allowed, remaining: quota - used, reset, retryAfter: allowed ? 0 : reset },
  ];
}
