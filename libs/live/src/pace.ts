import { setImmediate } from 'node:timers/promises';
import pLimit from 'p-limit';

/** The time for which works run without a pause, in milliseconds. */
const turn = 10;

/** Runs short works one after the other, with pauses for whatever else the process has to do. */
export class Pace {
  readonly #turns = pLimit(1);
  /** The end of the last pause. */
  #begun = -Infinity;

  /** @throws whatever `work` throws */
  run(work: () => void): Promise<void> {
    return this.#turns(async () => {
      if (performance.now() - this.#begun >= turn) {
        await setImmediate();
        this.#begun = performance.now();
      }
      work();
    });
  }
}
