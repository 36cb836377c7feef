import { NoConnection } from '../errors/connection.failure.js';

/** The part of a connection that is closed when nobody waits for it any more. */
interface Closable {
  readonly connection: { readonly stream: { destroy(): unknown } };
}

/**
 * Gives up a statement that takes too long, whatever its server does. Its connection is closed, so that `pg` itself says
 * that it is lost.
 */
export class TimeLimit {
  /** True if the time was up before there was a connection. */
  isOver = false;
  #client: Closable | undefined;
  readonly #timer: NodeJS.Timeout;

  /** @param limit in milliseconds @param fail is told when there is no connection by then */
  constructor(limit: number, fail: (error: NoConnection) => void) {
    this.#timer = setTimeout(() => {
      if (this.#client !== undefined) {
        this.#client.connection.stream.destroy();
        return;
      }
      this.isOver = true;
      fail(new NoConnection(new Error(`no connection within ${limit} ms`)));
    }, limit);
  }

  /** The statement has its connection. */
  meets(client: Closable): void {
    this.#client = client;
  }

  /** The statement is over. */
  end(): void {
    clearTimeout(this.#timer);
  }
}
