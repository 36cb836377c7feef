/** The time between two measurements of the event loop's delay, in milliseconds. */
const period = 50;

/** The number of late turns in a row that count: one long turn is a garbage collection, or somebody's calculation. */
const patience = 2;

/** Tells whether the event loop lags behind for longer than a moment. */
export class LoopDelay {
  readonly #timer: NodeJS.Timeout;
  #due: number;
  #lateTurns = 0;

  /**
   * @param limit in milliseconds
   * @param clock in milliseconds; it never goes back
   */
  constructor(
    private readonly limit: number,
    private readonly clock: () => number = () => performance.now(),
  ) {
    this.#due = clock() + period;
    this.#timer = setInterval(() => {
      this.look();
    }, period).unref();
  }

  get isTooLong(): boolean {
    return this.#lateTurns >= patience;
  }

  /** Compares the time with when it was to be called. */
  look(): void {
    const now = this.clock();
    this.#lateTurns = now - this.#due > this.limit ? this.#lateTurns + 1 : 0;
    this.#due = now + period;
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
