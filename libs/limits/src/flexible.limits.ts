import { ConfigurationError } from '@nest-endpoints/core';
import type { LimitStore, Take, Taken } from './limit.store.js';

/** The answer of a limiter of rate-limiter-flexible. */
interface FlexibleResult {
  readonly msBeforeNext: number;
  readonly remainingPoints: number;
}

/** A limiter of the package rate-limiter-flexible, such as `RateLimiterRedis`. */
export interface FlexibleLimiter {
  /** The quota. */
  readonly points: number;
  /** The window, in seconds. */
  readonly duration: number;
  /** Counts; rejects with a result where the limit is reached, and with an error where nobody could count. */
  consume(key: string, points: number): Promise<FlexibleResult>;
}

/**
 * Counts by a limiter of rate-limiter-flexible: in Redis or Valkey, say. Its window is a fixed one, which begins with the
 * first request, so that twice the quota may pass around its end.
 */
export class FlexibleLimits implements LimitStore {
  readonly isInProcess = false;

  constructor(private readonly limiter: FlexibleLimiter) {
    if (typeof (limiter as Partial<FlexibleLimiter> | undefined)?.consume === 'function') return;
    const problem = 'is none of rate-limiter-flexible, e.g. new RateLimiterRedis({ … })';
    throw new ConfigurationError('FlexibleLimits', 'limiter', problem);
  }

  misfit({ quota, window }: Pick<Take, 'quota' | 'window'>): string | undefined {
    const { points, duration } = this.limiter;
    if (points === quota && duration === window) return undefined;
    return `the limiter has points ${points} and duration ${duration}; allowed: quota ${points}, window ${duration}`;
  }

  async take({ key, cost }: Take): Promise<Taken> {
    try {
      return takenOf(await this.limiter.consume(key, cost), true);
    } catch (error) {
      if (isResult(error)) return takenOf(error, false);
      throw error;
    }
  }
}

function takenOf({ msBeforeNext, remainingPoints }: FlexibleResult, allowed: boolean): Taken {
  const reset = Math.max(0, msBeforeNext) / 1000;
  return { allowed, remaining: Math.max(0, remainingPoints), reset, retryAfter: allowed ? 0 : reset };
}

function isResult(value: unknown): value is FlexibleResult {
  const { msBeforeNext, remainingPoints } = Object(value) as Partial<FlexibleResult>;
  return !(value instanceof Error) && typeof msBeforeNext === 'number' && typeof remainingPoints === 'number';
}
