import type { Server } from 'node:http';
import { checkArguments } from '../options/checked.arguments.js';
import { checkOptions } from '../options/checked.options.js';
import { objectThat, wholeNumber } from '../options/checks.js';
import type { ChecksOf } from '../options/option.check.js';
import { ConfigurationError } from '../wire/configuration.error.js';

/** The time limits for a client that sends a request, in milliseconds; from 1. Who takes longer gets a 408. */
export interface ServerLimits {
  /** For the head of a request. Default 10,000. */
  readonly headersTimeout?: number;
  /** For the whole request, body included; not below `headersTimeout`. Default 30,000. */
  readonly requestTimeout?: number;
  /** The time between two looks at connections, in milliseconds. Limits are late by this much at most. Default 5,000. */
  readonly connectionsCheckingInterval?: number;
}

/** An application, as far as it matters here. */
interface Serving {
  getHttpServer(): unknown;
}

const owner = 'setServerLimits';

const milliseconds = wholeNumber(1, undefined, 'milliseconds');

const serverLimitChecks = {
  headersTimeout: milliseconds,
  requestTimeout: milliseconds,
  connectionsCheckingInterval: milliseconds,
} as const satisfies ChecksOf<ServerLimits>;

const application = objectThat('the application that NestFactory.create makes, awaited', 'getHttpServer');

/**
 * Sets how long slow clients may hold a connection. Call it between `NestFactory.create` and `listen`: Node reads the
 * interval when the server begins to listen.
 *
 * @throws ConfigurationError for an unknown limit, and for anything but whole milliseconds from 1
 * @example
 * const app = await NestFactory.create(AppModule);
 * setServerLimits(app);
 * await app.listen(3000);
 */
export function setServerLimits(app: Serving, options: ServerLimits = {}): void {
  checkArguments(owner, { app: [app, application] });
  checkOptions(owner, options, { checks: serverLimitChecks });
  const { headersTimeout = 10_000, requestTimeout = 30_000, connectionsCheckingInterval = 5000 } = options;
  if (requestTimeout < headersTimeout) {
    const problem = `${requestTimeout} is below headersTimeout, ${headersTimeout}`;
    throw new ConfigurationError(owner, 'requestTimeout', problem);
  }
  const limits = { headersTimeout, requestTimeout, connectionsCheckingInterval };
  Object.assign(app.getHttpServer() as Server, limits);
}
