/** The time in which there may be as many requests as the quota says: seconds, or a day or a month of the calendar, in UTC. */
export type LimitWindow = number | 'day' | 'month';

/** A request to be counted. */
export interface Take {
  /** Tells limit and sender from others. */
  readonly key: string;
  readonly quota: number;
  readonly window: LimitWindow;
  /** At least 1, and no more than the quota. */
  readonly cost: number;
  /**
   * The time until which somebody waits for the count, as `performance.now()` tells it; undefined for as long as it takes. A store
   * need not count what is late.
   */
  readonly until?: number;
}

/** The count after a request. */
export interface Taken {
  readonly allowed: boolean;
  /** The part of the quota that is left. */
  readonly remaining: number;
  /** The time until all of it is there again, in seconds. */
  readonly reset: number;
  /** The time after which a refused request would be allowed, in seconds; 0 for one that is. */
  readonly retryAfter: number;
}

/** A store of counts: a limit has one, and several may share it. */
export interface LimitStore {
  /** True if other processes do not know what it has counted. */
  readonly isInProcess: boolean;
  /** Counts a request. What it throws, or rejects with, is a failure of the store. */
  take(take: Take): Taken | Promise<Taken>;
  /** Says why a limit cannot be counted here; undefined where it can. Asked at the start. */
  misfit?(limit: Pick<Take, 'quota' | 'window'>): string | undefined;
  /** Gets ready, when the application starts. */
  open?(): Promise<void>;
  /** Gives back what it holds. */
  close?(): Promise<void>;
}
