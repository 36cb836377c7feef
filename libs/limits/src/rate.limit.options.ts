import type { LimitContext } from '@nest-endpoints/core';
import type { LimitStore, LimitWindow } from './limit.store.js';

/** A method of requests that may be counted. */
export type LimitedMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'QUERY';

/** Options of a {@link RateLimit}. */
export interface RateLimitOptions {
  /** The name in headers, and in keys of stores: 1 to 40 of `a-z`, `A-Z`, digits, `_`, `.`, `-`. Default `default`. */
  readonly name?: string;
  /** The most requests in a window, from 1 to 1,000,000,000. */
  readonly quota: number;
  /**
   * Seconds from 1, in which the quota comes back bit by bit; or `day` or `month` of the calendar in UTC, at whose beginning all
   * of it comes back.
   */
  readonly window: LimitWindow;
  /**
   * The sender that is counted: `identity`, issuer and subject of an identity, and the address of a request that has none;
   * `address`, before anybody is authenticated; or a function that gives a text of its own, null for who is not limited. Default
   * `identity`.
   */
  readonly by?: 'identity' | 'address' | ((context: LimitContext) => string | null);
  /** The bits of an IPv6 address that are one sender, from 1 to 128. Default 64. */
  readonly addressPrefix?: number;
  /** The part of the quota that a request takes, a whole number from 0; 0 is not counted. Default 1. */
  readonly cost?: number | ((context: LimitContext) => number);
  /** The methods that are counted. Default all but HEAD. */
  readonly methods?: readonly LimitedMethod[];
  /** The place where counts are. Default `new MemoryLimits()`. */
  readonly store?: LimitStore;
  /**
   * The part of the quota that a process takes in advance for a sender, so that it asks the store less often, from 0 to half of
   * the quota. Never more than the quota passes; less may, by as much for each process. Default 0.
   */
  readonly lease?: number;
  /** The answer while the store fails: `allow`, or `refuse` with a 503. Default `allow`. */
  readonly onStoreFailure?: 'allow' | 'refuse';
  /** The time that a store may take, in milliseconds; then it has failed. Default 50. */
  readonly storeTimeout?: number;
  /** The headers: `RateLimit` and `RateLimit-Policy`, `X-RateLimit-…`, or none. Default `draft`. */
  readonly headers?: 'draft' | 'x' | 'none';
}
