/** How long a replica rests before it is tried, in milliseconds; twice as long after each failure. */
const first = 1000;

/** The longest rest, in milliseconds. */
const longest = 30_000;

/** Lets something rest that has failed, and tries it in the background until it works again. */
export class CoolDown {
  #pause = 0;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;
  #trial: Promise<void> | undefined;

  /** @param attempt throws while it does not work @param whenOver is told when it does */
  constructor(
    private readonly attempt: () => Promise<void>,
    private readonly whenOver: () => void,
  ) {}

  get isOn(): boolean {
    return this.#pause > 0;
  }

  begin(): void {
    if (this.isOn) return;
    this.#pause = first;
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
      this.#pause = Math.min(2 * this.#pause, longest);
      this.#wait();
      return;
    }
    this.#pause = 0;
    this.whenOver();
  }
}
