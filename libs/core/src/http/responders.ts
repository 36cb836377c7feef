import { Injectable } from '@nestjs/common';
import type { EndpointGroup } from '../endpoint/endpoint.group.js';
import { EndpointRequest } from '../endpoint/request/endpoint.request.js';
import { requestIdOf } from '../endpoint/request/request.id.js';
import type { PathParameters } from '../endpoint/route.pattern.js';
import { Sender } from '../endpoint/request/sender.js';
import type { Session } from '../visibility/session.js';
import { EndpointDirectory } from './endpoint.directory.js';
import type { Exchange } from './exchange.js';
import { HttpEdge } from './http.edge.js';
import type { Responder } from './responder.js';

const noGroups: readonly EndpointGroup[] = [];
const noParameters: PathParameters = Object.freeze({});

/** Responders of the application's requests: who answers what. */
@Injectable()
export class Responders {
  constructor(
    private readonly edge: HttpEdge,
    private readonly directory: EndpointDirectory,
  ) {}

  /** @param native the platform's own request */
  of(native: unknown, exchange = this.edge.exchangeOf(native)): Responder {
    return (exchange.responder ??= this.#responder(exchange, native));
  }

  /** A request as handlers get it. @param open gives what it reads and writes through */
  requestOf(
    exchange: Exchange,
    native: unknown,
    parameters: PathParameters,
    open: (request: EndpointRequest) => Session,
    sender = new Sender(),
  ): EndpointRequest {
    const { raw, route, body } = exchange;
    return new EndpointRequest(
      raw.method ?? 'GET',
      pathOf(raw.url ?? '/'),
      parameters,
      route.queryString,
      raw.headers,
      body,
      native,
      sender,
      open,
    );
  }

  /** The id of a request, whoever answers it. */
  requestIdOf({ responder, raw }: Exchange): string {
    return responder?.request.requestId ?? requestIdOf(raw.headers);
  }

  #responder(exchange: Exchange, native: unknown): Responder {
    const { match } = exchange.route;
    const sender = new Sender();
    const parameters = match?.parameters ?? noParameters;
    if (match?.kind === 'endpoint') {
      const endpoint = this.directory.endpointAt(match.leaf);
      const request = this.requestOf(exchange, native, parameters, endpoint.open, sender);
      return { kind: 'endpoint', exchange, endpoint, request, sender };
    }
    const fallback = this.directory.fallbackOf(match?.groups ?? noGroups);
    const request = this.requestOf(exchange, native, parameters, fallback.open, sender);
    return { kind: 'miss', exchange, fallback, request, sender };
  }
}

function pathOf(url: string): string {
  const question = url.indexOf('?');
  return question === -1 ? url : url.slice(0, question);
}
