import type { RequestObserver } from '../request/request.observer.js';

/** How the service stops, what it does when there is too much to do, and what it tells of itself. */
export interface ServiceOptions {
  /**
   * How long a service that was told to stop serves on, in milliseconds, so that load balancers can find out. Default
   * 2,000; 0 for not at all. Without a signal, as with `app.close()`, there is none.
   */
  readonly drainTime?: number;
  /**
   * How long requests in flight may take once the service does not listen any more, in milliseconds. Then they are
   * answered with 503, and every connection is cut. Default 4,000.
   */
  readonly closingTime?: number;
  /**
   * The most requests that endpoints work on at once; more are answered 503 before anything of them is looked at. Those
   * whose bodies are still on their way, and those whose answers are, do not count. HealthChecks have places of their
   * own. Default 0: no limit.
   */
  readonly maximumInFlight?: number;
  /**
   * The most requests whose bodies are on their way at once. One more takes the place of the one that has sent for
   * longest, which is answered 408; where none has sent for a second, it is answered 503. Default 1,000; 0 for no limit.
   */
  readonly maximumReceiving?: number;
  /** How long a body may be on its way, in milliseconds; then the answer is a 408. Default 30,000; 0 for no limit. */
  readonly receiveTimeout?: number;
  /**
   * The most answers that wait for their clients to read them at once. One more cuts off the one that has waited for
   * longest, if that is a second or more. Default 1,000; 0 for no limit.
   */
  readonly maximumSending?: number;
  /**
   * How late the event loop may be, in milliseconds, before new requests are answered 503. One late turn does no harm,
   * two in a row do. HealthChecks are answered. Default 0: no limit.
   */
  readonly maximumDelay?: number;
  /** Whether every request is a line in the log, through Nest's `Logger`. Default false. */
  readonly requestLog?: boolean;
  /** Whether answers tell in `Server-Timing` what took how long. Everybody can read it. Default false. */
  readonly serverTiming?: boolean;
  /** Hear of every request once it is over. Default: none. */
  readonly observers?: readonly RequestObserver[];
}
