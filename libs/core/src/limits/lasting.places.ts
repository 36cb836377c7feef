import { ServiceUnavailable } from '../wire/refusals.js';
import { atMost } from './bounded.wait.js';

/** The longest wait for a place, in milliseconds. Who waits holds no connection. */
const patience = 5000;

const full = 'Exports and imports of other clients have all transactions that may last as long as they do';

/**
 * The places of transactions that last as long as their clients read or send. There are fewer than connections, so that those who
 * are slow leave some to everybody else.
 */
export class LastingPlaces {
  readonly #waiting = new Set<() => void>();
  #free: number;

  constructor(places: number) {
    this.#free = places;
  }

  /** Runs `work` in a place. @throws ServiceUnavailable where none becomes free in time */
  async within<T>(work: () => Promise<T>): Promise<T> {
    await this.#take();
    try {
      return await work();
    } finally {
      this.#giveBack();
    }
  }

  async #take(): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    const turn = Promise.withResolvers<undefined>();
    const next = (): void => {
      turn.resolve(undefined);
    };
    this.#waiting.add(next);
    await atMost(patience, turn.promise, () => {
      // Its turn may have come together with its end.
      if (this.#waiting.delete(next)) throw new ServiceUnavailable({ cause: new Error(full) });
    });
  }

  #giveBack(): void {
    const [next] = this.#waiting;
    if (next === undefined) this.#free += 1;
    else {
      this.#waiting.delete(next);
      next();
    }
  }
}
