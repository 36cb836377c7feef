/** The rest of a replica before it is tried, in milliseconds; twice as long after each failure. */
const first = 1000;

/** The longest rest, in milliseconds. */
const longest = 30_000;

/** The time that it must have worked until earlier failures are forgotten, in milliseconds. */
const forgiven = 30_000;

/** Lets something rest that has failed, and tries it in the background until it works again. */
export class CoolDown {
  #pause = 0;
  #isOn = false;
  /** The time when it last began to work again. */
  #endedAt = -Infinity;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;
  #trial: Promise<void> | undefined;

  /**
   * @param attempt throws while it does not work
   * @param whenOver is told when it does
   * @param now in milliseconds, on a clock that only goes forward
   */
  constructor(
    private readonly attempt: () => Promise<void>,
    private readonly whenOver: () => void,
    private readonly now: () => number = () => performance.now(),
  ) {}

  get isOn(): boolean {
    return this.#isOn;
  }

  begin(): void {
    if (this.#isOn) return;
    this.#isOn = true;
    this.#pause = this.now() - this.#endedAt < forgiven ? longer(this.#pause) : first;
    this.#wait();
  }

  /** Tries no more, and waits for the trial that has begun. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#trial;
  }

  #wait(): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => {
      this.#trial = this.#try();
    }, this.#pause).unref();
  }

  async #try(): Promise<void> {
    try {
      await this.attempt();
    } catch {
      // What is wrong was told when the rest began.
      this.#pause = longer(this.#pause);
      this.#wait();
      return;
    }
    this.#isOn = false;
    this.#endedAt = this.now();
    this.whenOver();
  }
}

function longer(pause: number): number {
  return Math.min(2 * pause, longest);
}
