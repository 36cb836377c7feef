import type { IncomingHttpHeaders } from 'node:http';
import type { RawBody } from '../input/raw-body.js';
import { parseQueryString } from '../query/query.string.js';
import type { RequestEntityManager } from '../records/database.js';
import type { RequestContext } from './request.context.js';
import type { PathParameters } from './route.pattern.js';

/** A request that has found its endpoint and passed the guards. */
export class EndpointRequest {
  constructor(
    readonly method: string,
    /** As it came, without the query string. */
    readonly path: string,
    readonly routingData: PathParameters,
    /** Without the question mark. */
    readonly queryString: string,
    readonly headers: IncomingHttpHeaders,
    readonly body: RawBody,
    readonly authorizationData: unknown,
    /** The platform's own request object. */
    readonly native: unknown,
  ) {}

  /** @throws BadRequest when the query string is malformed */
  get queryParameters(): ReadonlyMap<string, string> {
    return parseQueryString(this.queryString);
  }

  /**
   * What functions of the user's configuration see of this request.
   *
   * @param fork gives the entity manager, for the functions that ask for it
   */
  context(fork: () => RequestEntityManager): RequestContext {
    return {
      routingData: this.routingData,
      queryParameters: Object.fromEntries(new URLSearchParams(this.queryString)),
      requestHeaders: this.headers,
      authorizationData: this.authorizationData,
      request: this.native,
      get em() {
        return fork();
      },
    };
  }
}
