/** Runs work in a transaction: kept when it succeeds, undone when it throws. */
type Transact = (work: () => Promise<void>) => Promise<void>;

/** One transaction for everything a request does, begun when something is first asked of the database. */
export class RequestTransaction {
  #begun: Promise<void> | undefined;
  #ended: Promise<void> | undefined;
  #keep: (() => void) | undefined;
  #undo: ((error: unknown) => void) | undefined;

  constructor(private readonly transact: Transact) {}

  /** Begins the transaction, if none has begun. */
  begin(): Promise<void> {
    return (this.#begun ??= this.#begin());
  }

  async commit(): Promise<void> {
    this.#keep?.();
    await this.#ended;
  }

  /** Undoes everything. What it throws tells more than `error` where the connection was lost, too. */
  async rollback(error: unknown): Promise<never> {
    this.#undo?.(error);
    await this.#ended;
    throw error;
  }

  #begin(): Promise<void> {
    return new Promise((entered, failed) => {
      const work = (): Promise<void> =>
        new Promise((resolve, reject) => {
          this.#keep = resolve;
          this.#undo = reject;
          entered();
        });
      this.#ended = this.transact(work);
      // Who waits for the beginning is told of a connection that could not be had; the end is waited for by the request.
      this.#ended.catch(failed);
    });
  }
}
