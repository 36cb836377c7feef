import type { EntityManager } from '@mikro-orm/core';
import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import type { Database } from '../database/database.js';
import { loggable } from '../database/errors/database.error.js';
import { atMost } from '../limits/bounded.wait.js';
import { pruneChanges } from '../records/changes/kept.changes.js';
import type { ChangePlace } from '../records/changes/read.changes.js';
import { inEverySchema } from '../records/schemas/in.every.schema.js';
import { Session } from '../visibility/session.js';

/** The pause between sweeps, in milliseconds. */
const pause = 10 * 60 * 1000;

/** The last change that a reader of the log has read. */
export interface LastRead {
  readonly place: ChangePlace;
  /** The time of it, where others wait behind it. */
  readonly behindSince: Date | undefined;
}

/** A reader of the log of a database: gives the last change that it has read; undefined where it reads none of it. */
export type ChangeReader = (database: Database) => Promise<LastRead | undefined>;

/** The time that a shutdown waits for a sweep, in milliseconds. */
const lastWait = 1000;

/** Deletes changes that are older than they are kept, now and then. Any number of processes may do it. */
@Injectable()
export class ChangeSweep implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #logger = new Logger('Endpoints');
  /** The databases with a log that is kept on PostgreSQL. */
  readonly #logs = new Set<Database>();
  readonly #databases = new Set<Database>();
  readonly #readers: ChangeReader[] = [];
  #timer: NodeJS.Timeout | undefined;
  #sweeping: Promise<void> | undefined;

  /** Has the log of a database swept from the start of the application to its end, where it has one that ends. */
  add(database: Database): void {
    const targets = [...(database.changes?.targets ?? [])];
    if (targets.length === 0 || !database.dialect.hasCatalogue) return;
    this.#logs.add(database);
    if (targets.some(({ entity }) => entity.options.keepFor !== 'forever')) this.#databases.add(database);
  }

  /** An entity manager for each database with a log. */
  get logs(): readonly EntityManager[] {
    return [...this.#logs].map((database) => database.fork());
  }

  /** Has changes kept that a reader has not read yet, however old they are. */
  holdFor(reader: ChangeReader): void {
    this.#readers.push(reader);
  }

  onApplicationBootstrap(): void {
    if (this.#databases.size === 0) return;
    this.#timer = setInterval(() => {
      this.#sweeping ??= this.#sweep().finally(() => {
        this.#sweeping = undefined;
      });
    }, pause).unref();
  }

  /** The database is closed after this. */
  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.#timer);
    if (this.#sweeping !== undefined) await atMost(lastWait, this.#sweeping, () => undefined);
  }

  /**
   * Deletes what is kept no longer, in the schemas of all tenants.
   * @returns the number of changes
   */
  async prune(signal: AbortSignal): Promise<number> {
    let count = 0;
    for (const database of this.#logs) count += await this.#pruned(database, signal);
    return count;
  }

  async #sweep(): Promise<void> {
    for (const database of this.#databases)
      try {
        await this.#pruned(database);
      } catch (error) {
        this.#logger.warn(`The log of changes could not be swept: ${loggable(error).reason}`);
      }
  }

  async #pruned(database: Database, signal?: AbortSignal): Promise<number> {
    const read = await this.#readOf(database);
    const behindSince = read?.behindSince;
    if (behindSince !== undefined && behindSince.getTime() < Date.now() - pause)
      this.#logger.warn(`Changes since ${behindSince.toISOString()} are kept: a reader of the log is behind`);
    let count = 0;
    const prune = async (schema: string | undefined): Promise<void> => {
      signal?.throwIfAborted();
      count += await pruneChanges(database.fork({ schema }), read?.place);
    };
    const failed = await inEverySchema(database, () => new Session(database), prune);
    if (failed !== undefined) throw failed.error;
    return count;
  }

  /** The last change that all readers have read; undefined where nobody reads. */
  async #readOf(database: Database): Promise<LastRead | undefined> {
    const read = await Promise.all(this.#readers.map((reader) => reader(database)));
    const [first] = read.filter((one) => one !== undefined).toSorted(byPlace);
    return first;
  }
}

/** In the order in which changes are read, which is not that of their times. */
function byPlace({ place: one }: LastRead, { place: other }: LastRead): number {
  const [apart, ids] = [
    BigInt(one.transaction) - BigInt(other.transaction),
    BigInt(one.id) - BigInt(other.id),
  ];
  return Number(apart === 0n ? ids : apart);
}
