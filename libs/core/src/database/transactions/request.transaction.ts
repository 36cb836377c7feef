/** Runs work in a transaction: kept when it succeeds, undone when it throws. */
type Transact = (work: () => Promise<undefined>) => Promise<undefined>;

/** The end of a transaction: without a failure it is kept. */
interface Ending {
  readonly failure?: { readonly error: unknown };
}

/**
 * The one transaction of a request: with row level security, or the one that its parts share. It begins when something first
 * needs it. It may be over before it has begun, while it waits for a connection.
 */
export class RequestTransaction {
  #begun: Promise<void> | undefined;
  #ended: Promise<undefined> | undefined;
  /** Never rejects: a transaction that could not begin does not listen to its end. */
  readonly #ending = Promise.withResolvers<Ending>();

  /** @param isTriedAgain true if all of it runs again when the database undoes it because of others */
  constructor(
    private readonly transact: Transact,
    readonly isTriedAgain: boolean,
  ) {}

  /** True once something was asked of it. */
  get hasBegun(): boolean {
    return this.#begun !== undefined;
  }

  /** Begins the transaction, if none has begun. */
  begin(): Promise<void> {
    return (this.#begun ??= this.#begin());
  }

  /** Keeps everything. Once is enough. */
  async commit(): Promise<void> {
    this.#ending.resolve({});
    await this.#ended;
  }

  /** Undoes everything. What it throws tells more than `error` where the connection was lost, too. */
  async rollback(error: unknown): Promise<never> {
    this.#ending.resolve({ failure: { error } });
    await this.#ended;
    throw error;
  }

  #begin(): Promise<void> {
    return new Promise((entered, failed) => {
      this.#ended = this.transact(() => {
        entered();
        return this.#end();
      });
      // Who waits for the beginning is told of a connection that could not be had; the end is waited for by the request.
      this.#ended.catch(failed);
    });
  }

  async #end(): Promise<undefined> {
    const { failure } = await this.#ending.promise;
    if (failure !== undefined) throw failure.error;
    return undefined;
  }
}
