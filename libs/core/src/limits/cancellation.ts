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
  #isForbidden = false;
  /** The end of the time for which it is held, on the clock of `performance.now()`; undefined while it is not. */
  #heldUntil: number | undefined;
  /** The reason for which the request would have been given up meanwhile. */
  #late: Error | undefined;
  /** The work that a request waits for: one statement mostly. */
  #work: Work | undefined;
  /** The work that it waits for beside that. */
  #others = none;

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
   * became of it. A server that does not answer within {@link patience} keeps nobody.
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
