import type { Cancellation } from '../../limits/cancellation.js';

/**
 * The items of a stream of the user's. They are closed whatever becomes of the answer, because their maker may hold a
 * cursor or a file. Generators around them do not do it: one that has not begun runs no `finally`.
 */
export class ItemSource {
  readonly #iterator: AsyncIterator<unknown>;
  #forget: () => void = () => undefined;
  #isClosed = false;

  /** @param onError is told what closing throws, which nobody waits for */
  constructor(
    source: AsyncIterable<unknown>,
    private readonly cancellation: Cancellation,
    private readonly onError: (error: unknown) => void,
  ) {
    this.#iterator = source[Symbol.asyncIterator]();
    this.#forget = cancellation.whenCancelled(() => {
      this.close();
    });
  }

  /** @throws why the request was given up, if it was meanwhile */
  async next(): Promise<IteratorResult<unknown, unknown>> {
    const result = await this.#iterator.next();
    if (this.cancellation.reason !== undefined) throw this.cancellation.reason;
    return result;
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#forget();
    void this.#close();
  }

  async #close(): Promise<void> {
    try {
      await this.#iterator.return?.();
    } catch (error) {
      this.onError(error);
    }
  }
}
