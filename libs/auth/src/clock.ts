/** The two times that authentication needs. */
export interface Clock {
  /** The time of day in milliseconds since 1970, by which tokens are judged. */
  now(): number;
  /**
   * Gives the milliseconds since any moment, never turned back. Keys grow old by it, so setting the machine's clock
   * expires no key.
   */
  elapsed(): number;
}

/** The clocks of the machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
};
