import { WaitingLine, type Standing } from './waiting.line.js';

/** The time between two looks at those who wait, in milliseconds. */
const period = 100;

/** The time in which nobody has to give way to others, in milliseconds. */
const protectedTime = 1000;

/** A wait for a client: for the rest of its body, or for it to read its answer. */
export interface ClientWait {
  /** The message that the client sends or is sent: destroyed once it has gone. */
  readonly message: { readonly destroyed: boolean };
  /** Ends it, because its time is up, or because others need its place. */
  giveUp(): void;
  /** Ends it, because there is no place for it. One that cannot be refused waits beside the others until there is. */
  refuse?(): void;
}

interface Waiting {
  readonly wait: ClientWait;
  readonly since: number;
}

/**
 * Waits whose end clients decide. Their number and the time of each are limited. When all places are taken, the longest
 * wait gives way to a new one, so that clients who only wait keep nobody out.
 */
export class ClientWaits {
  readonly #line = new WaitingLine<Waiting>();
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param places how many there are at most; 0 for any number
   * @param limit how long one lasts at most, in milliseconds; 0 for any time
   */
  constructor(
    private readonly places: number,
    private readonly limit: number,
  ) {}

  /** @returns what ends the wait from outside */
  begin(wait: ClientWait): () => void {
    this.#timer ??= setInterval(() => {
      this.#look();
    }, period).unref();
    const standing = this.#line.join({ wait, since: performance.now() });
    // What is here in the same turn has not waited, and needs no place.
    if (this.#isCrowded)
      setImmediate(() => {
        if (standing.isIn) this.#findPlace(standing);
      });
    return () => {
      this.#line.leave(standing);
    };
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  get #isCrowded(): boolean {
    return this.places !== 0 && this.#line.length > this.places;
  }

  #findPlace(standing: Standing<Waiting>): void {
    this.#forgetGone();
    this.#giveUpLongest();
    if (!this.#isCrowded || standing.who.wait.refuse === undefined) return;
    this.#line.leave(standing);
    standing.who.wait.refuse();
  }

  #look(): void {
    this.#forgetGone();
    this.#giveUpLongest();
    if (this.#line.length === 0) this.stop();
  }

  #forgetGone(): void {
    for (const standing of this.#line.standings)
      if (standing.who.wait.message.destroyed) this.#line.leave(standing);
  }

  /** Gives up those whose time is up, and those who have to give way. */
  #giveUpLongest(): void {
    const now = performance.now();
    for (let { first } = this.#line; first !== undefined; { first } = this.#line) {
      const lasted = now - first.who.since;
      const isLate = this.limit !== 0 && lasted >= this.limit;
      if (!isLate && !(this.#isCrowded && lasted >= protectedTime)) return;
      this.#line.leave(first);
      first.who.wait.giveUp();
    }
  }
}
