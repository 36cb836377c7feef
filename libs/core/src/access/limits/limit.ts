import type { RequestFacts } from '../../model/request.facts.js';

/** The parts of a request that a limit sees. There is no body: it is not read yet. */
export interface LimitContext extends Omit<RequestFacts, 'request'> {
  readonly method: string;
  /** The parameters of the query string; of a repeated one the last. */
  readonly queryParameters: Readonly<Record<string, string>>;
  readonly requestId: string;
}

/** The sender that a request is counted for: an address, or issuer and subject of an identity. */
export interface LimitKey {
  readonly kind: 'address' | 'identity';
  readonly text: string;
}

/** The verdict of a limit on one request. */
export interface Verdict {
  /** False where the limit is reached; `unknown` where nobody could count, and requests are refused then. */
  readonly allowed: boolean | 'unknown';
  /** The requests that are left. */
  readonly remaining: number;
  /** The time until all of them are there again, in seconds; of a refused request until it may be sent again, or longer. */
  readonly reset: number;
  /** True if the request was not counted, so that nobody knows what is left. Default false. */
  readonly isUncounted?: boolean;
  /** The time after which a refused request may be sent again, in seconds. */
  readonly retryAfter: number;
}

/** A limit on how often endpoints are asked. Limits of the application, of groups and of endpoints add up. */
export interface Limit {
  /** The name in headers; no two limits of an endpoint have the same. */
  readonly name: string;
  /** The time at which it is asked: `address` is judged before anybody is authenticated, `identity` after it. */
  readonly judges: 'address' | 'identity';
  /** The most requests. */
  readonly quota: number;
  /** The time in which there may be as many, in seconds; undefined where it is not always the same. */
  readonly window: number | undefined;
  /** The headers that tell of it: `RateLimit` and `RateLimit-Policy`, `X-RateLimit-…`, or none. */
  readonly headers: 'draft' | 'x' | 'none';
  /** True if it counts by addresses, which a proxy in front hides where the platform does not know of it. */
  readonly seesAddresses: boolean;
  /** True if other processes do not know what it has counted. */
  readonly isInProcess: boolean;
  /**
   * Counts a request.
   *
   * @param key undefined where nobody knows who sent it, nor from where
   * @returns the verdict; undefined where the limit does not concern the request
   */
  take(key: LimitKey | undefined, context: LimitContext): Verdict | undefined | Promise<Verdict | undefined>;
  /**
   * True if what another limit counts may be counted here, too: it has the same name in the same store. Where they allow
   * different numbers, the start warns of it. Default: nothing is shared.
   */
  sharesCountsWith?(other: Limit): boolean;
  /** Gets ready, when the application starts: the first request need not wait for it. */
  open?(): Promise<void>;
  /** Gives back what it holds, when the application stops. */
  close?(): Promise<void>;
}
