import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Limit, LimitContext, LimitKey, Verdict } from '@nest-endpoints/core';
import { atMost, networkOf } from '@nest-endpoints/core/internal';
import { Logger } from '@nestjs/common';
import { late } from './late.takes.js';
import { LeasedStore } from './leased.store.js';
import type { LimitStore, Take, Taken } from './limit.store.js';
import { MemoryLimits } from './memory.limits.js';
import { checkRateLimit } from './rate.limit.checks.js';
import type { RateLimitOptions } from './rate.limit.options.js';

/** The length from which a text is kept as its digest: clients may choose it. */
const longKey = 64;

/** The time between two lines in the log that a store fails, in milliseconds. */
const logPeriod = 60_000;

/** Seconds of a day. */
const day = 86_400;

/**
 * Limits how often a sender may ask.
 *
 * @example new RateLimit({ quota: 100, window: 60 })
 */
export class RateLimit implements Limit {
  readonly name: string;
  readonly judges: 'address' | 'identity';
  readonly quota: number;
  readonly window: number | undefined;
  readonly headers: 'draft' | 'x' | 'none';
  readonly seesAddresses: boolean;
  readonly isInProcess: boolean;
  /** The number of requests that nobody could count, for metrics. */
  failures = 0;
  readonly #logger = new Logger('Endpoints');
  readonly #options: RateLimitOptions;
  readonly #store: LimitStore;
  readonly #given: LimitStore;
  readonly #methods: ReadonlySet<string> | undefined;
  /** The time that a store may take, in milliseconds. */
  readonly #patience: number;
  #toldTime = -Infinity;

  /** @throws ConfigurationError for options that are wrong, or contradict each other */
  constructor(options: RateLimitOptions) {
    checkRateLimit(options);
    const { name = 'default', quota, window, by = 'identity', headers = 'draft', lease = 0 } = options;
    const { store = new MemoryLimits(), methods, storeTimeout = 50 } = options;
    this.name = name;
    this.quota = quota;
    this.window = window === 'day' ? day : window === 'month' ? undefined : window;
    this.judges = by === 'address' ? 'address' : 'identity';
    this.headers = headers;
    this.seesAddresses = typeof by !== 'function';
    this.isInProcess = store.isInProcess;
    this.#options = options;
    this.#given = store;
    this.#store = lease === 0 ? store : new LeasedStore(store, lease);
    this.#methods = methods && new Set(methods);
    this.#patience = storeTimeout;
  }

  take(key: LimitKey | undefined, context: LimitContext): Verdict | undefined | Promise<Verdict | undefined> {
    const { method } = context;
    if (this.#methods === undefined ? method === 'HEAD' : !this.#methods.has(method)) return undefined;
    const sender = this.#senderOf(key, context);
    if (sender === undefined) return undefined;
    const cost = this.#costOf(context);
    if (cost === 0) return undefined;
    const { quota } = this;
    const { window } = this.#options;
    if (cost > quota)
      return { allowed: false, isUncounted: true, remaining: 0, reset: 0, retryAfter: this.window ?? day };
    const until = performance.now() + this.#patience;
    return this.#counted({ key: `${this.name}:${sender}`, quota, window, cost, until });
  }

  /** Two stores outside of the process may be one. */
  sharesCountsWith(other: Limit): boolean {
    if (!(other instanceof RateLimit) || other.name !== this.name) return false;
    const [own, given] = [this.#given, other.#given];
    return own === given || (!own.isInProcess && own.constructor === given.constructor);
  }

  async open(): Promise<void> {
    await this.#given.open?.();
  }

  async close(): Promise<void> {
    await this.#given.close?.();
  }

  #senderOf(key: LimitKey | undefined, context: LimitContext): string | undefined {
    const { by, addressPrefix = 64 } = this.#options;
    if (typeof by === 'function') {
      const own: unknown = by(context);
      if (own === null) return undefined;
      if (typeof own !== 'string')
        throw new TypeError(`RateLimit '${this.name}': by must give a text or null`);
      return shortened(`own:${own}`);
    }
    // Nobody knows from where: all of these are one sender.
    if (key === undefined) return 'address:';
    const text = key.kind === 'address' ? networkOf(key.text, addressPrefix) : key.text;
    return shortened(`${key.kind}:${text}`);
  }

  #costOf(context: LimitContext): number {
    const { cost = 1 } = this.#options;
    const given: unknown = typeof cost === 'function' ? cost(context) : cost;
    if (Number.isSafeInteger(given) && Number(given) >= 0) return Number(given);
    throw new TypeError(`RateLimit '${this.name}': cost must give a whole number from 0`);
  }

  #counted(take: Take): Verdict | undefined | Promise<Verdict | undefined> {
    try {
      const taken = this.#store.take(take);
      return taken instanceof Promise ? this.#inTime(taken) : taken;
    } catch (error) {
      return this.#failed(error);
    }
  }

  async #inTime(taking: Promise<Taken>): Promise<Verdict | undefined> {
    // What comes after the time is up is nobody's any more, an error too.
    taking.catch(() => undefined);
    try {
      return await atMost(this.#patience, taking, tooLate);
    } catch (error) {
      return this.#failed(error);
    }
  }

  #failed(error: unknown): Verdict | undefined {
    this.failures += 1;
    const now = performance.now();
    if (now - this.#toldTime >= logPeriod) {
      this.#toldTime = now;
      const reason = error instanceof Error ? error.message : String(error);
      const { onStoreFailure = 'allow' } = this.#options;
      const what = onStoreFailure === 'allow' ? 'are not counted' : 'are refused';
      this.#logger.error(`RateLimit '${this.name}': requests ${what} (${this.failures} so far): ${reason}`);
    }
    if (this.#options.onStoreFailure !== 'refuse') return undefined;
    return { allowed: 'unknown', remaining: 0, reset: 0, retryAfter: 1 };
  }
}

/** An answer that is there already counts: a process that was busy has not read it yet. */
async function tooLate(): Promise<never> {
  await setImmediate();
  throw late;
}

function shortened(text: string): string {
  return text.length <= longKey ? text : createHash('sha256').update(text).digest('base64url');
}
