import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Limit } from '../access/limits/limit.js';
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
    for (const warning of sharedCounts(this.directory.limits)) this.#logger.warn(warning);
    for (const limit of this.directory.limits)
      limit.open?.().catch((error: unknown) => {
        this.#logger.warn(`The store of the limit '${limit.name}' is away: ${String(error)}`);
      });
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.directory.limits.map(async (limit) => limit.close?.()));
  }
}

/** Warnings of limits that allow different numbers and count together: a request to one endpoint takes of the other's quota. */
function* sharedCounts(limits: readonly Limit[]): Generator<string> {
  const told = new Set<string>();
  for (const [index, limit] of limits.entries()) {
    const { name, quota, window } = limit;
    const isOther = (one: Limit): boolean => one.quota !== quota || one.window !== window;
    const other = limits
      .slice(index + 1)
      .find((one) => isOther(one) && limit.sharesCountsWith?.(one) === true);
    if (other === undefined || told.has(name)) continue;
    told.add(name);
    yield `Limits of the name '${name}' count in one store, and allow different numbers (${said(limit)}, ${said(other)}): a request to one takes of the other; give each a name of its own`;
  }
}

function said({ quota, window }: Limit): string {
  return `${quota} in ${window === undefined ? 'a month' : `${window} s`}`;
}
