import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { promisedTime } from '../endpoint/consistency/consistency.options.js';
import { ConsistencyToken } from '../endpoint/consistency/consistency.token.js';
import { ReadYourWrites } from '../endpoint/consistency/read.your.writes.js';
import type { Database } from '../records/database.js';
import { loggable } from '../records/database.error.js';
import type { Replica } from '../records/replicas/replica.js';
import { EndpointDirectory } from './endpoint.directory.js';

/** What clients are promised of each database of the application, and what the log tells of its replicas. */
@Injectable()
export class Consistency implements BeforeApplicationShutdown {
  readonly #logger = new Logger('Endpoints');
  readonly #token: ConsistencyToken;
  readonly #known = new Map<Database | undefined, ReadYourWrites | undefined>();

  constructor(private readonly directory: EndpointDirectory) {
    this.#token = new ConsistencyToken(directory.options.cursorSecret);
  }

  /** Undefined where nothing is promised. */
  of(database: Database | undefined): ReadYourWrites | undefined {
    if (this.#known.has(database)) return this.#known.get(database);
    const promised = this.#promisedOn(database);
    this.#known.set(database, promised);
    return promised;
  }

  /** Whether tokens are good in this process only. */
  get isEphemeral(): boolean {
    return this.isPromised && this.#token.isEphemeral;
  }

  /** Whether who has just written is remembered. */
  get isPromised(): boolean {
    return [...this.#known].some(
      ([database, promised]) => database?.replicas !== undefined && promised !== undefined,
    );
  }

  /** Replicas are asked nothing in the background any more, because MikroORM is about to close. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([...this.#known.keys()].map(async (database) => database?.replicas?.stop()));
  }

  #promisedOn(database: Database | undefined): ReadYourWrites | undefined {
    database?.replicas?.listen((replica, error) => {
      this.#tell(replica, error);
    });
    const time = promisedTime(this.directory.options, database?.replicas !== undefined);
    return time === undefined ? undefined : new ReadYourWrites(database, this.#token, time);
  }

  #tell({ name }: Replica, error: unknown): void {
    if (error === undefined) this.#logger.log(`${name} answers again`);
    else this.#logger.warn(`${name} is not asked until it answers again: ${loggable(error).reason}`);
  }
}
