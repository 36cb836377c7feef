import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { atMost } from '../limits/bounded.wait.js';
import type { Database } from '../database/database.js';
import { loggable } from '../database/errors/database.error.js';
import { KeptAnswers } from '../records/idempotency/kept.answers.js';
import { inEverySchema } from '../records/schemas/in.every.schema.js';
import type { Session } from '../visibility/session.js';
import { EndpointDirectory } from '../http/endpoint.directory.js';

/** The longest pause between sweeps, in milliseconds. */
const longestPause = 10 * 60 * 1000;

/** The time that a shutdown waits for a sweep, in milliseconds. */
const lastWait = 1000;

/** Opens a session in a schema; undefined for MikroORM's own. */
type OpenIn = (schema?: string) => Session;

/**
 * Deletes answers under expired keys, now and then. An expired key counts as none anyway, so the time does not matter,
 * nor the number of processes that do it.
 */
@Injectable()
export class IdempotencySweep implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #logger = new Logger('Endpoints');
  /** The databases to sweep, and a function that opens a session for each. */
  readonly #tables = new Map<Database, OpenIn>();
  #timer: NodeJS.Timeout | undefined;
  #sweeping: Promise<void> | undefined;
  #isOver = false;

  constructor(private readonly directory: EndpointDirectory) {}

  /** Has the answers that are kept in a database swept from the start of the application to its end. */
  add(database: Database, open: OpenIn): void {
    this.#tables.set(database, open);
  }

  onApplicationBootstrap(): void {
    if (this.#tables.size === 0) return;
    const { idempotencyKeyTime = longestPause } = this.directory.options;
    const pause = Math.min(idempotencyKeyTime, longestPause);
    this.#timer = setInterval(() => {
      this.#sweeping ??= this.#sweep().finally(() => {
        this.#sweeping = undefined;
      });
    }, pause).unref();
  }

  /** The database is closed after this. */
  async beforeApplicationShutdown(): Promise<void> {
    this.#isOver = true;
    clearInterval(this.#timer);
    if (this.#sweeping !== undefined) await atMost(lastWait, this.#sweeping, () => undefined);
  }

  async #sweepAll(database: Database, open: OpenIn): Promise<void> {
    const kept = KeptAnswers.on(database);
    if (kept === undefined) return;
    const sweep = async (schema: string | undefined): Promise<void> => {
      while (!this.#isOver && (await kept.sweep(open(schema))));
    };
    const failed = await inEverySchema(database, open, sweep, kept.schemas);
    if (failed !== undefined) throw failed.error;
  }

  async #sweep(): Promise<void> {
    for (const [database, open] of this.#tables)
      try {
        await this.#sweepAll(database, open);
      } catch (error) {
        this.#logger.warn(`Expired idempotency keys could not be swept: ${loggable(error).reason}`);
      }
  }
}
