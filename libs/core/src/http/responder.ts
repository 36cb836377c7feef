import type { AnswerStyle } from './answers/answer.style.js';
import type { EndpointRequest } from '../endpoint/endpoint.request.js';
import type { CompiledEndpoint } from './compiled.endpoint.js';
import type { Place } from './endpoint.directory.js';

/** Who answers a request: an endpoint, or the place where it got lost. */
export type Responder =
  | { readonly kind: 'endpoint'; readonly endpoint: CompiledEndpoint; readonly request: EndpointRequest }
  | { readonly kind: 'miss'; readonly place: Place; readonly request: EndpointRequest };

/** How the answers of a responder look. */
export function styleOf(responder: Responder): AnswerStyle {
  return responder.kind === 'endpoint' ? responder.endpoint.style : responder.place.style;
}
