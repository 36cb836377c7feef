import type { EndpointRequest } from '../endpoint/endpoint.request.js';
import type { Sender } from '../endpoint/sender.js';
import type { AnswerStyle } from './answers/answer.style.js';
import type { CompiledEndpoint } from './compiled.endpoint.js';
import type { Fallback } from './endpoint.directory.js';
import type { Exchange } from './exchange.js';

/** What is known of a request whose body is there, whoever answers it. */
interface Assigned {
  readonly exchange: Exchange;
  readonly request: EndpointRequest;
  readonly sender: Sender;
}

/** Responder of a request: an endpoint, or the fallback of the groups where it got lost. */
export type Responder =
  | (Assigned & { readonly kind: 'endpoint'; readonly endpoint: CompiledEndpoint })
  | (Assigned & { readonly kind: 'miss'; readonly fallback: Fallback });

/** How the answers of a responder look. */
export function styleOf(responder: Responder): AnswerStyle {
  return responder.kind === 'endpoint' ? responder.endpoint.style : responder.fallback.style;
}
