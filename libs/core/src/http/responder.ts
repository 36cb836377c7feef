import type { ServerResponse } from 'node:http';
import type { EndpointRequest } from '../endpoint/request/endpoint.request.js';
import type { Sender } from '../endpoint/request/sender.js';
import type { Answer } from '../wire/answer.js';
import type { PartOutcome } from './dispatch/part.outcome.js';
import type { StatusWord } from '../wire/outcome.table.js';
import type { AnswerStyle } from './answers/answer.style.js';
import type { CompiledEndpoint } from './compiled.endpoint.js';

/** Outcome of an exchange, as whoever makes it writes it. */
export interface Outcome {
  /** The response to which the answer goes; undefined for a request that came without a socket. */
  readonly response: ServerResponse | undefined;
  /**
   * The answer that was made; undefined until there is one. Interceptors around a whole application, such as Nest's
   * ClassSerializerInterceptor, take an answer apart. Their result is no answer, so this one is sent.
   */
  answer: Answer | undefined;
  /** The status word of a refusal; undefined while there is none. */
  refusedAs: StatusWord | undefined;
  /** The outcome as the request is told of which this one is a part; undefined for most. */
  readonly part: PartOutcome | undefined;
}

/** The facts about a request whose body is there, whoever answers it. */
interface Assigned {
  readonly exchange: Outcome;
  readonly request: EndpointRequest;
  readonly sender: Sender;
  /** The style of its answers. */
  readonly style: AnswerStyle;
}

/** An endpoint that answers a request. */
export interface EndpointResponder extends Assigned {
  readonly kind: 'endpoint';
  readonly endpoint: CompiledEndpoint;
}

/** Responder of a request: an endpoint, or the fallback of the groups where it got lost. */
export type Responder = EndpointResponder | (Assigned & { readonly kind: 'miss' });
