import type { Server } from 'node:http';
import { ConfigurationError } from '../wire/configuration.error.js';

/** How long a client may take to say what it wants, in milliseconds; from 1. Who takes longer gets a 408. */
export interface ServerLimits {
  /** For the head of a request. Default 10,000. */
  readonly headersTimeout?: number;
  /** For the whole request, body included; not below `headersTimeout`. Default 30,000. */
  readonly requestTimeout?: number;
  /** How often connections are looked at, so limits are late by this much at most. Default 5,000. */
  readonly connectionsCheckingInterval?: number;
}

/** An application, as far as it matters here. */
interface Serving {
  getHttpServer(): unknown;
}

/**
 * Sets how long slow clients may hold a connection. Call it between `NestFactory.create` and `listen`: Node reads the
 * interval when the server begins to listen.
 *
 * @throws ConfigurationError for anything but whole milliseconds from 1
 * @example
 * const app = await NestFactory.create(AppModule);
 * setServerLimits(app);
 * await app.listen(3000);
 */
export function setServerLimits(
  app: Serving,
  { headersTimeout = 10_000, requestTimeout = 30_000, connectionsCheckingInterval = 5000 }: ServerLimits = {},
): void {
  const limits = { headersTimeout, requestTimeout, connectionsCheckingInterval };
  const refuse = (option: string, problem: string): never => {
    throw new ConfigurationError('setServerLimits', option, problem);
  };
  for (const [option, value] of Object.entries(limits))
    if (!Number.isSafeInteger(value) || value < 1)
      refuse(option, `'${value}' is not a whole number of milliseconds from 1`);
  if (requestTimeout < headersTimeout)
    refuse('requestTimeout', `${requestTimeout} is below headersTimeout, ${headersTimeout}`);
  Object.assign(app.getHttpServer() as Server, limits);
}
