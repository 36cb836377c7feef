import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import type { Database } from '../database/database.js';
import { loggable } from '../database/errors/database.error.js';
import { EndpointDirectory } from '../http/endpoint.directory.js';
import { atMost } from '../limits/bounded.wait.js';
import { inEverySchema } from '../records/schemas/in.every.schema.js';
import { TrashBin } from '../records/soft/trash.bin.js';
import type { Session } from '../visibility/session.js';

/** The shortest and the longest pause between sweeps, in milliseconds. */
const pauses = { least: 1000, most: 10 * 60 * 1000 };

/** The time that a shutdown waits for a sweep, in milliseconds. */
const lastWait = 1000;

/** The trashes of a database. */
interface Emptying {
  readonly bins: readonly TrashBin[];
  readonly database: Database;
  readonly open: (schema?: string) => Session;
}

/** Purges deleted records some time after, where `softDelete` says so. Any number of processes may do it at the same time. */
@Injectable()
export class TrashSweep implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #logger = new Logger('Endpoints');
  #timer: NodeJS.Timeout | undefined;
  #sweeping: Promise<void> | undefined;
  #isOver = false;

  constructor(private readonly directory: EndpointDirectory) {}

  onApplicationBootstrap(): void {
    const all = this.#emptyings();
    const times = all.flatMap(({ bins }) => bins.map(({ purgeAfter }) => purgeAfter));
    if (times.length === 0) return;
    const pause = Math.min(Math.max(pauses.least, Math.min(...times)), pauses.most);
    this.#timer = setInterval(() => {
      this.#sweeping ??= this.#sweep(all).finally(() => {
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

  #emptyings(): readonly Emptying[] {
    const known = new Map<Database, Emptying>();
    for (const { database, open } of this.directory.features)
      if (database !== undefined && !known.has(database))
        known.set(database, { bins: TrashBin.of(database), database, open });
    return [...known.values()];
  }

  async #sweep(all: readonly Emptying[]): Promise<void> {
    for (const one of all)
      for (const bin of one.bins) {
        if (this.#isOver) return;
        await this.#empty(bin, one);
      }
  }

  async #empty(bin: TrashBin, { database, open }: Emptying): Promise<void> {
    const { className } = bin.meta;
    try {
      const failed = await inEverySchema(database, open, async (schema) => {
        if (this.#isOver) return;
        const { purged, held } = await bin.empty(
          () => open(schema),
          () => this.#isOver,
        );
        if (held > 0)
          this.#logger.log(
            `${className}: ${purged} deleted records purged, ${held} stay because others refer to them`,
          );
      });
      if (failed !== undefined) throw failed.error;
    } catch (error) {
      this.#logger.warn(`Deleted records of ${className} could not be purged: ${loggable(error).reason}`);
    }
  }
}
