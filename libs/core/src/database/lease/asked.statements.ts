import type { StopFailure } from '../pool/statement.failure.js';
import { StopRequests } from '../stop.requests.js';

/** The statements that a connection was asked and has not answered, and the requests to stop them. */
export class AskedStatements {
  /** The number of the statements. */
  #count = 0;
  #stops: StopRequests | undefined;
  /** True once the server has heard all requests, false where nobody knows; undefined if there were none. */
  #heard: Promise<boolean> | undefined;

  /** @param onError is told why they could not be stopped */
  constructor(private readonly onError: StopFailure) {}

  get isEmpty(): boolean {
    return this.#count === 0;
  }

  begin(): void {
    this.#count += 1;
  }

  end(): void {
    this.#count -= 1;
    if (this.#count > 0 || this.#stops === undefined) return;
    void this.#stops.end();
    this.#stops = undefined;
  }

  /** Has the server stop them. @param ask see {@link StopRequests} */
  stop(ask: () => Promise<unknown>): void {
    if (this.#count === 0 || this.#stops !== undefined) return;
    this.#stops = new StopRequests(ask, this.onError);
    const { ended } = this.#stops;
    this.#heard = this.#heard === undefined ? ended : both(this.#heard, ended);
  }

  /** Settles once no request is on its way that the next statement could be stopped by; false if nobody knows. */
  async settled(): Promise<boolean> {
    const heard = this.#heard;
    const isSafe = (await heard) !== false;
    if (this.#heard === heard) this.#heard = undefined;
    return isSafe;
  }
}

async function both(...all: readonly Promise<boolean>[]): Promise<boolean> {
  return !(await Promise.all(all)).includes(false);
}
