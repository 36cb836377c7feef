import { Injectable } from '@nestjs/common';
import type { EndpointGroup } from '../endpoint/endpoint.group.js';
import { EndpointContext } from '../endpoint/endpoint.context.js';
import { EndpointRequest } from '../endpoint/endpoint.request.js';
import { requestIdOf } from '../endpoint/request.id.js';
import type { PathParameters } from '../endpoint/route.pattern.js';
import { dropReply } from '../endpoint/dropped.reply.js';
import { RawReply, TextReply, type Reply } from '../endpoint/reply.js';
import { isStatusCode } from '../wire/status.code.js';
import type { RouteLeaf } from '../routing/route.tree.js';
import { checkEscapes } from '../query/query.string.js';
import type { Session } from '../records/session.js';
import { Answer, type HeaderLines } from '../wire/answer.js';
import { problemIn } from '../wire/header.lines.js';
import type { StatusWord } from '../wire/outcome.table.js';
import { NotFound } from '../wire/refusals.js';
import { VisitScope } from './visit.scope.js';
import { EndpointDirectory } from './endpoint.directory.js';
import { HttpEdge } from './http.edge.js';
import { Observation } from './observation/observation.js';
import { RequestWatch } from './request.watch.js';
import { rawRequest } from './raw.request.js';
import { styleOf, type Responder } from './responder.js';
import type { Visit } from './visit.js';

const noHeaders: HeaderLines = [];
const noGroups: readonly EndpointGroup[] = [];

/**
 * The way of one request:
 *
 * 1. route — {@link HttpEdge} finds the endpoint in the route table and collects the raw body;
 * 2. authenticate, authorize — the guards, before anything of the request is judged;
 * 3. read input, validate, act — the endpoint's handler, compiled by its kind when the application started;
 * 4. write output — a reply in text is finished here; a plain one by the envelope and casing interceptors.
 *
 * Whatever is thrown on the way becomes an answer in the envelope filter.
 */
@Injectable()
export class EndpointGateway {
  constructor(
    private readonly edge: HttpEdge,
    private readonly directory: EndpointDirectory,
    private readonly watch: RequestWatch,
    private readonly observation: Observation,
  ) {}

  async handle(leaf: RouteLeaf, native: unknown): Promise<Answer | Reply> {
    const responder = this.responderOf(native);
    if (responder.kind === 'miss' || responder.endpoint.leaf !== leaf) throw new NotFound();
    const { endpoint, request } = responder;
    checkEscapes(request.queryString);
    const { response } = this.edge.visitOf(rawRequest(native));
    const reply = await this.watch.over(request, endpoint.timeout, response, () => endpoint.handler(request));
    if (reply instanceof RawReply) return this.#raw(responder, reply);
    if (!(reply instanceof TextReply)) return reply;
    const { data, pagination, statusCode, headers } = reply;
    const text = endpoint.style.envelope.success(data, pagination);
    return this.answer(responder, statusCode, text, headers);
  }

  responderOf(native: unknown): Responder {
    const visit = this.edge.visitOf(rawRequest(native));
    return (visit.responder ??= this.#responder(native, visit));
  }

  /** Runs `work`, and all it leads to, as part of the request where an endpoint answers it. */
  within(native: unknown, work: () => void): void {
    const visit = this.edge.visitOf(rawRequest(native));
    if (visit.figures !== undefined) this.observation.bodyEnded(visit.figures);
    if (visit.route.match?.kind === 'endpoint')
      EndpointContext.run(new VisitScope(() => this.responderOf(native), visit), work);
    else work();
  }

  requestOf(
    native: unknown,
    parameters: PathParameters,
    open: (request: EndpointRequest) => Session,
  ): EndpointRequest {
    const raw = rawRequest(native);
    const { route, body } = this.edge.visitOf(raw);
    return new EndpointRequest(
      raw.method ?? 'GET',
      pathOf(raw.url ?? '/'),
      parameters,
      route.queryString,
      raw.headers,
      body,
      native,
      open,
    );
  }

  /**
   * An answer with the headers that the endpoint or its groups put on every answer.
   * @param own headers of this answer alone
   */
  answer(
    responder: Responder,
    statusCode: number,
    body: string,
    own: HeaderLines = noHeaders,
  ): Answer | Promise<Answer> {
    const style = styleOf(responder);
    if (style.fixedHeaders !== undefined)
      return this.#kept(responder, statusCode, body, style.joined(style.fixedHeaders, own));
    return style
      .headers(() => responder.request.context())
      .then((headers) => this.#kept(responder, statusCode, body, style.joined(headers, own)));
  }

  /** The id of a request, whoever answers it. */
  requestIdOf(native: unknown): string {
    const raw = rawRequest(native);
    return this.edge.visitOf(raw).responder?.request.requestId ?? requestIdOf(raw.headers);
  }

  /** Keeps what a request was refused as, for whoever observes it. */
  refused({ request }: Responder, status: StatusWord): void {
    this.edge.visitOf(rawRequest(request.native)).refusedAs = status;
  }

  /** An answer with the headers of a reply; functions of the user's may give some of them, and throw. */
  async #raw(responder: Responder, reply: RawReply): Promise<Answer> {
    const { body, contentType, statusCode, headers } = reply;
    const style = styleOf(responder);
    try {
      refuseUnsendable(reply);
      const usual = style.fixedHeaders ?? (await style.headers(() => responder.request.context()));
      const answer = new Answer(
        statusCode,
        body,
        style.joined(usual, headers, reply.isForwarded),
        contentType,
      );
      this.edge.visitOf(rawRequest(responder.request.native)).answer = answer;
      return answer;
    } catch (error) {
      dropReply(reply);
      throw error;
    }
  }

  #kept({ request }: Responder, statusCode: number, body: string, headers: HeaderLines): Answer {
    const answer = new Answer(statusCode, body, headers);
    this.edge.visitOf(rawRequest(request.native)).answer = answer;
    return answer;
  }

  #responder(native: unknown, { route: { match } }: Visit): Responder {
    if (match?.kind === 'endpoint') {
      const endpoint = this.directory.endpointAt(match.leaf);
      return { kind: 'endpoint', endpoint, request: this.requestOf(native, match.parameters, endpoint.open) };
    }
    const place = this.directory.placeOf(match?.groups ?? noGroups);
    return { kind: 'miss', place, request: this.requestOf(native, match?.parameters ?? {}, place.open) };
  }
}

function pathOf(url: string): string {
  const question = url.indexOf('?');
  return question === -1 ? url : url.slice(0, question);
}

/** @throws TypeError for what is no status code of an answer, as `Response.error()` has it, and no media type */
function refuseUnsendable({ statusCode, contentType }: RawReply): void {
  if (!isStatusCode(statusCode, 200, 599))
    throw new TypeError(`${statusCode} is no status code of an answer`);
  const problem = problemIn([['Content-Type', contentType]]);
  if (problem !== undefined) throw new TypeError(problem);
}
