/** Runs work in a transaction: kept when it succeeds, undone when it throws. */
type Transact = (work: () => Promise<undefined>) => Promise<undefined>;

/**
 * With row level security: one transaction for everything a request does, begun when something is first asked of the
 * database. It may be over before it has begun, while it waits for a connection.
 */
export class RequestTransaction {
  #begun: Promise<void> | undefined;
  #ended: Promise<undefined> | undefined;
  readonly #inside = Promise.withResolvers<undefined>();

  constructor(private readonly transact: Transact) {}

  /** Begins the transaction, if none has begun. */
  begin(): Promise<void> {
    return (this.#begun ??= this.#begin());
  }

  /** Keeps everything. Once is enough. */
  async commit(): Promise<void> {
    this.#inside.resolve(undefined);
    await this.#ended;
  }

  /** Undoes everything. What it throws tells more than `error` where the connection was lost, too. */
  async rollback(error: unknown): Promise<never> {
    if (this.#ended !== undefined) this.#inside.reject(error);
    await this.#ended;
    throw error;
  }

  #begin(): Promise<void> {
    return new Promise((entered, failed) => {
      this.#ended = this.transact(() => {
        entered();
        return this.#inside.promise;
      });
      // Who waits for the beginning is told of a connection that could not be had; the end is waited for by the request.
      this.#ended.catch(failed);
    });
  }
}
