import type { IncomingHttpHeaders } from 'node:http';
import type { Credentials } from '../../access/authentication.js';
import type { EndpointRequest } from './endpoint.request.js';

/** Credentials of a request. The platform's own request is made for those alone who ask for it. */
export class PresentedCredentials implements Credentials {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly #request: EndpointRequest;

  constructor(
    request: EndpointRequest,
    readonly context: Credentials['context'],
  ) {
    this.method = request.method;
    this.headers = request.headers;
    this.#request = request;
  }

  get native(): unknown {
    return this.#request.native;
  }
}
