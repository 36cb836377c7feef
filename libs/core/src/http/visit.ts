import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RawBody } from '../input/raw.body.js';
import type { FoundRoute } from '../routing/route.table.js';
import type { StatusWord } from '../wire/outcome.table.js';
import type { RequestFigures } from './observation/request.figures.js';
import type { Refusal } from '../wire/refusals.js';
import type { Answer } from '../wire/answer.js';
import type { Lane } from './admission/lane.js';
import type { Responder } from './responder.js';

/** What the stages of the pipeline find out about one request, and leave for those after them. */
export class Visit {
  body: RawBody = { kind: 'none' };
  /** Who answers; undefined until a stage has asked. */
  responder: Responder | undefined;
  /** Where the answer goes; undefined for a request that came without a socket. */
  response: ServerResponse | undefined;
  /**
   * The answer that was made; undefined until there is one. Interceptors around a whole application, such as Nest's
   * ClassSerializerInterceptor, take an answer apart: what they give is no answer, so this one is sent.
   */
  answer: Answer | undefined;
  /** The status word of a refusal; undefined while there is none. */
  refusedAs: StatusWord | undefined;
  /** Among which requests it has a place; undefined while it has none. */
  lane: Lane | undefined;
  /** Why it is refused before anything of it is looked at; undefined where nothing is wrong with it. */
  flaw: Refusal | undefined;
  /** What is measured; undefined where nobody wants to know. */
  figures: RequestFigures | undefined;

  constructor(readonly route: FoundRoute) {}
}

/**
 * The visits of one application, each kept on Node's own request: a weak map would hold them as well, but every one in
 * it costs the garbage collector time.
 */
export class Visits {
  readonly #key = Symbol('visit');

  constructor(private readonly routeOf: (request: IncomingMessage) => FoundRoute) {}

  of(request: IncomingMessage): Visit {
    const holder = request as IncomingMessage & Record<symbol, Visit | undefined>;
    return (holder[this.#key] ??= new Visit(this.routeOf(request)));
  }
}
