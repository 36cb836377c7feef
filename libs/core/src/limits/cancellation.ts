/** From here on a wait for a connection counts, in milliseconds. */
export const noticedWait = 100;

/** The longest time of a timer, in milliseconds: a longer one would be over at once. */
const longestTimer = 2 ** 31 - 1;

type Work = (reason: Error) => void;

const none: readonly Work[] = [];

/** The time that a commit may take beyond the time of its request, in milliseconds. */
const patience = 10_000;

/**
 * Tells everything that works for a request when nobody waits for its answer any more. It costs nothing until somebody
 * asks.
 */
export class Cancellation {
  #controller: AbortController | undefined;
  /** The reason for which the request was given up; undefined while it is not. Every statement asks; {@link cancel} alone writes it. */
  readonly reason: Error | undefined = undefined;
  /** True once the request has waited for a connection, see {@link waited}. Every statement asks; {@link keepWait} alone writes it. */
  readonly hasWaited: boolean = false;
  #waited = 0;
  /** The end of its last wait, on the clock of `performance.now()`. */
  #waitedAt = 0;
  #isForbidden = false;
  /** The end of the time for which it is held, on the clock of `performance.now()`; undefined while it is not. */
  #heldUntil: number | undefined;
  /** The reason for which the request would have been given up meanwhile. */
  #late: Error | undefined;
  /** The work that a request waits for: one statement mostly. */
  #work: Work | undefined;
  /** The work that it waits for beside that. */
  #others = none;

  /**
   * Runs work that is no request's, and gives it up when its time is over.
   *
   * @param limit in milliseconds
   * @param outer gives the work up as well; undefined where nobody else does
   * @throws Error when it is given up; the work is told so, but it may go on
   */
  static async within<T>(
    limit: number,
    work: (cancellation: Cancellation) => Promise<T>,
    outer?: Cancellation,
  ): Promise<T> {
    const cancellation = new Cancellation();
    const stop = outer?.whenCancelled((reason) => {
      cancellation.cancel(reason);
    });
    const timer = setTimeout(
      () => {
        cancellation.cancel(new Error(`the time limit of ${limit} ms is over`));
      },
      Math.min(limit, longestTimer),
    ).unref();
    try {
      return await cancellation.race(() => work(cancellation));
    } finally {
      clearTimeout(timer);
      stop?.();
    }
  }

  /** The signal for functions that know `AbortSignal`. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.reason !== undefined) this.#controller.abort(this.reason);
    return this.#controller.signal;
  }

  /** Calls `work` when the request is given up; at once where it was already. @returns what takes it back */
  whenCancelled(work: Work): () => void {
    if (this.reason !== undefined) {
      work(this.reason);
      return () => undefined;
    }
    if (this.#work === undefined) this.#work = work;
    else this.#others = [...this.#others, work];
    return () => {
      if (this.#work === work) this.#work = undefined;
      else this.#others = this.#others.filter((other) => other !== work);
    };
  }

  /** From now on the request is not given up: what it wrote is committed, and its answer will say so. */
  forbid(): void {
    this.#isForbidden = true;
  }

  /**
   * Runs a commit. The request is not given up meanwhile: nothing could be undone any more, and its answer would not say what
   * became of it. A server that does not answer within ten seconds keeps nobody.
   */
  async holdFor(commit: () => Promise<void>): Promise<void> {
    this.#heldUntil = performance.now() + patience;
    try {
      await commit();
    } finally {
      this.#heldUntil = undefined;
      if (this.#late !== undefined) this.cancel(this.#late);
    }
  }

  /** True if the request is not to be given up now. */
  get isForbidden(): boolean {
    return this.#isForbidden || this.#isHeld;
  }

  get #isHeld(): boolean {
    return this.#heldUntil !== undefined && performance.now() < this.#heldUntil;
  }

  /**
   * The time for which the request has just waited for connections, in milliseconds: its next waits are so much shorter. It is
   * forgotten as fast as it went by, so that a long request, such as an Import, has its time for each of its parts.
   */
  get waited(): number {
    return Math.max(this.#waited - (performance.now() - this.#waitedAt), 0);
  }

  /** Tells of a wait for a connection, in milliseconds with those before it. Waits beside each other are one, and short ones none. */
  keepWait(waited: number): void {
    if (waited - this.waited < noticedWait) return;
    (this as { hasWaited: boolean }).hasWaited = true;
    this.#waited = waited;
    this.#waitedAt = performance.now();
  }

  /** Runs what waits for an answer that others have asked for: the connection that it comes on is waited for as well. */
  async waitFor<T>(work: () => Promise<T>): Promise<T> {
    const asked = performance.now() - this.waited;
    try {
      return await work();
    } finally {
      this.keepWait(performance.now() - asked);
    }
  }

  cancel(reason: Error): void {
    if (this.#isHeld) this.#late ??= reason;
    if (this.reason !== undefined || this.isForbidden) return;
    (this as { reason: Error | undefined }).reason = reason;
    this.#controller?.abort(reason);
    const works = this.#work === undefined ? this.#others : [this.#work, ...this.#others];
    this.#work = undefined;
    this.#others = none;
    for (const work of works) work(reason);
  }

  /** Waits for work, or for the request to be given up. Nothing begins for one that was. */
  race<T>(work: () => Promise<T>): Promise<T> {
    if (this.reason !== undefined) return Promise.reject(this.reason);
    return new Promise((resolve, reject) => {
      const stop = this.whenCancelled(reject);
      work().finally(stop).then(resolve, reject);
    });
  }
}
