import type { RequestObserver } from '../request/request.observer.js';

/** Options of the service: how it stops, what it does under too much load, and what it tells of itself. */
export interface ServiceOptions {
  /**
   * The time that a service which was told to stop still serves, in milliseconds, so that load balancers can find out.
   * Default 2,000; 0: none. Without a signal, as with `app.close()`, there is none.
   */
  readonly drainTime?: number;
  /**
   * The time that requests in flight may take once the service does not listen any more, in milliseconds. Then they are
   * answered with 503, and every connection is cut. Default 4,000.
   */
  readonly closingTime?: number;
  /**
   * The most requests that endpoints work on at once; more are answered 503 before anything of them is looked at.
   * Requests whose bodies or answers are still on their way do not count. HealthChecks have places of their own. Default
   * 0: no limit.
   */
  readonly maximumInFlight?: number;
  /**
   * The most requests whose bodies are on their way at once. One more takes the place of the one that has sent for
   * longest, which is answered 408. Where none has sent for a second, it is answered 503. Default 1,000; 0 for no limit.
   */
  readonly maximumReceiving?: number;
  /** The time that a body may take to arrive, in milliseconds; then the answer is a 408. Default 30,000; 0: no limit. */
  readonly receiveTimeout?: number;
  /**
   * The most answers that wait for their clients to read them at once. One more cuts off the one that has waited for
   * longest, if that is a second or more. Default 1,000; 0 for no limit.
   */
  readonly maximumSending?: number;
  /**
   * The delay of the event loop, in milliseconds, from which new requests are answered 503. One late turn does no harm,
   * two in a row do. HealthChecks are answered. Default 0: no limit.
   */
  readonly maximumDelay?: number;
  /** True to log every request as a line, through Nest's `Logger`. Default false. */
  readonly requestLog?: boolean;
  /** True to tell the times of a request's stages in `Server-Timing`. Everybody can read it. Default false. */
  readonly serverTiming?: boolean;
  /** Hear of every request once it is over. Default: none. */
  readonly observers?: readonly RequestObserver[];
}
