import type { IncomingHttpHeaders } from 'node:http';
import type { SqlEntityManager } from '@mikro-orm/sql';
import type { PathParameters } from './route.pattern.js';

/** What every function of a configuration can destructure from its argument. */
export interface RequestContext {
  /** The path parameters. */
  readonly routingData: PathParameters;
  /** The parameters of the query string; of a repeated one the last. */
  readonly queryParameters: Readonly<Record<string, string>>;
  readonly requestHeaders: IncomingHttpHeaders;
  /** What the endpoint's authentication found, e.g. the claims of a token; undefined on public endpoints. */
  readonly authorizationData: unknown;
  /** The request's own entity manager. What Update and Delete call is in the transaction of the write. */
  readonly em: SqlEntityManager;
  /** The platform's own request object. */
  readonly request: unknown;
}
