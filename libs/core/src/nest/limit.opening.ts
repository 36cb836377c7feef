import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { mayPostpone } from '../endpoint/request/postponed.work.js';
import { EndpointDirectory } from '../http/endpoint.directory.js';

/** Has limits get ready when the application starts, and give back what they hold when it has answered its last request. */
@Injectable()
export class LimitOpening implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #logger = new Logger('Endpoints');

  constructor(private readonly directory: EndpointDirectory) {}

  /** A store that is away is no reason not to start. */
  onApplicationBootstrap(): void {
    if (mayPostpone()) return;
    for (const limit of this.directory.limits)
      limit.open?.().catch((error: unknown) => {
        this.#logger.warn(`The store of the limit '${limit.name}' is away: ${String(error)}`);
      });
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.directory.limits.map(async (limit) => limit.close?.()));
  }
}
