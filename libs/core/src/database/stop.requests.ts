import type { StopFailure } from './pool/statement.failure.js';

/** The time before a server is asked again, in milliseconds: the first time, and the longest. */
const firstPause = 50;
const longestPause = 1000;

/**
 * The requests to stop what a connection works on, one after the other until it has answered. A server forgets one that comes
 * before the statement does, which may be on its way still.
 */
export class StopRequests {
  /** Settles once the statement has answered and no request is on its way: true if the server has heard all of them. */
  readonly ended: Promise<boolean>;
  #count = 0;
  #isAnswered = false;
  readonly #answered = Promise.withResolvers<undefined>();

  /**
   * @param ask tells the server once; settles when it has heard
   * @param onError is told why it was not, the first time
   */
  constructor(
    private readonly ask: () => Promise<unknown>,
    private readonly onError: StopFailure,
  ) {
    this.ended = this.#askOn();
  }

  /** The number of requests until now. */
  get count(): number {
    return this.#count;
  }

  /** The statement has answered. What is asked on its connection before {@link ended} might be stopped instead. */
  end(): Promise<boolean> {
    this.#isAnswered = true;
    this.#answered.resolve(undefined);
    return this.ended;
  }

  async #askOn(): Promise<boolean> {
    let areHeard = true;
    for (let pause = firstPause; !this.#isAnswered; pause = Math.min(2 * pause, longestPause)) {
      this.#count += 1;
      try {
        await this.ask();
      } catch (error) {
        if (areHeard) this.onError(error);
        areHeard = false;
      }
      await this.#answeredWithin(pause);
    }
    return areHeard;
  }

  async #answeredWithin(pause: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const over = new Promise((resolve) => (timer = setTimeout(resolve, pause)));
    await Promise.race([this.#answered.promise, over]);
    clearTimeout(timer);
  }
}
