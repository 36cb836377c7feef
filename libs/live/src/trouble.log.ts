import { Logger } from '@nestjs/common';

/** The time between two lines, in milliseconds: what fails for one stream fails for many. */
const period = 60_000;

/** Tells the log, now and then, what cannot be done. */
export class TroubleLog {
  readonly #logger = new Logger('Endpoints');
  #toldTime = -Infinity;

  /** @param sentence what cannot be done, without its end */
  constructor(private readonly sentence: string) {}

  readonly tell = (error: unknown): void => {
    const now = performance.now();
    if (now - this.#toldTime < period) return;
    this.#toldTime = now;
    this.#logger.warn(`${this.sentence}: ${error instanceof Error ? error.message : String(error)}`);
  };
}
