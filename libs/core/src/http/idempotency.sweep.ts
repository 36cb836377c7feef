import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import type { Database } from '../records/database.js';
import { KeptAnswers } from '../records/idempotency/kept.answers.js';
import type { Session } from '../records/session.js';
import { EndpointDirectory } from './endpoint.directory.js';

/** The longest pause between sweeps, in milliseconds. */
const longestPause = 10 * 60 * 1000;

/**
 * Deletes what is kept under expired keys, now and then. An expired key counts as none anyway, so it is no matter when,
 * nor by how many processes of a service.
 */
@Injectable()
export class IdempotencySweep implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #logger = new Logger('Endpoints');
  /** What to sweep, and how to get a session for it. */
  readonly #tables = new Map<Database, () => Session>();
  #timer: NodeJS.Timeout | undefined;
  #sweeping: Promise<void> = Promise.resolve();
  #isOver = false;

  constructor(private readonly directory: EndpointDirectory) {}

  /** Has the answers that are kept in a database swept from the start of the application to its end. */
  add(database: Database, open: () => Session): void {
    this.#tables.set(database, open);
  }

  onApplicationBootstrap(): void {
    if (this.#tables.size === 0) return;
    const { idempotencyKeyTime = longestPause } = this.directory.options;
    const pause = Math.min(idempotencyKeyTime, longestPause);
    this.#timer = setInterval(() => {
      this.#sweeping = this.#sweeping.then(() => this.#sweep());
    }, pause).unref();
  }

  /** The database is closed after this. */
  async beforeApplicationShutdown(): Promise<void> {
    this.#isOver = true;
    clearInterval(this.#timer);
    await this.#sweeping;
  }

  async #sweep(): Promise<void> {
    for (const [database, open] of this.#tables)
      try {
        const kept = KeptAnswers.on(database);
        let isMore = kept !== undefined;
        while (isMore && !this.#isOver) isMore = (await kept?.sweep(open())) === true;
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        this.#logger.warn(`Expired idempotency keys could not be swept: ${reason}`);
      }
  }
}
