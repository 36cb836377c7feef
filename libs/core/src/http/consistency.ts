import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { promisedTime } from '../replicas/consistency.options.js';
import { ConsistencyToken } from '../replicas/consistency.token.js';
import { ReadYourWrites } from '../endpoint/read.your.writes.js';
import { atMost } from '../limits/bounded.wait.js';
import type { Storage } from '../endpoint/storage.js';
import { loggable } from '../database/errors/database.error.js';
import type { Replica } from '../replicas/replica.js';
import { EndpointDirectory } from './endpoint.directory.js';

/** The shortest time between two lines in the log that the primary does not tell where it stands, in milliseconds. */
const quiet = 10_000;

/** The time that a shutdown waits for questions that replicas were asked, in milliseconds: one may hang. */
const lastWait = 1000;

/** The consistency that clients are promised for each database of the application, and the log lines about its replicas. */
@Injectable()
export class Consistency implements BeforeApplicationShutdown {
  readonly #logger = new Logger('Endpoints');
  readonly #token: ConsistencyToken;
  #toldAt = -Infinity;
  readonly #known = new Map<Storage | undefined, ReadYourWrites | undefined>();

  constructor(private readonly directory: EndpointDirectory) {
    this.#token = new ConsistencyToken(directory.secrets);
  }

  /** Undefined where nothing is promised. */
  of(storage: Storage | undefined): ReadYourWrites | undefined {
    if (this.#known.has(storage)) return this.#known.get(storage);
    const promised = this.#promisedOn(storage);
    this.#known.set(storage, promised);
    return promised;
  }

  /** True if tokens are good in this process only. */
  get isEphemeral(): boolean {
    return this.isPromised && this.#token.isEphemeral;
  }

  /** True if it is remembered who has just written. */
  get isPromised(): boolean {
    return [...this.#known].some(
      ([storage, promised]) => storage?.replicas !== undefined && promised !== undefined,
    );
  }

  /** Replicas are asked nothing in the background any more, because MikroORM is about to close. */
  async beforeApplicationShutdown(): Promise<void> {
    const stopped = Promise.all([...this.#known.keys()].map(async (storage) => storage?.replicas?.stop()));
    await atMost(lastWait, stopped, () => undefined);
  }

  #promisedOn(storage: Storage | undefined): ReadYourWrites | undefined {
    storage?.replicas?.listen((replica, error) => {
      this.#tell(replica, error);
    });
    const time = promisedTime(this.directory.options, storage?.replicas !== undefined);
    if (time === undefined) return undefined;
    return new ReadYourWrites(storage, this.#token, time, (error) => {
      this.#tellUnknown(error);
    });
  }

  #tellUnknown(error: unknown): void {
    const now = performance.now();
    if (now - this.#toldAt < quiet) return;
    this.#toldAt = now;
    const { reason } = loggable(error);
    this.#logger.warn(`The primary did not say where a write stands, so that time alone decides: ${reason}`);
  }

  #tell({ name }: Replica, error: unknown): void {
    if (error === undefined) this.#logger.log(`${name} answers again`);
    else this.#logger.warn(`${name} is not asked until it answers again: ${loggable(error).reason}`);
  }
}
