import { Injectable } from '@nestjs/common';
import type { EndpointGroup } from '../endpoint/endpoint.group.js';
import { EndpointRequest } from '../endpoint/endpoint.request.js';
import { TextReply, type Reply } from '../endpoint/reply.js';
import type { RouteLeaf } from '../routing/route.tree.js';
import { Answer } from '../wire/answer.js';
import { NotFound } from '../wire/refusals.js';
import type { CompiledEndpoint } from './compiled.endpoint.js';
import { EndpointDirectory } from './endpoint.directory.js';
import { HttpEdge } from './http.edge.js';
import { Identities } from './identities.js';
import { PerRequest } from './per-request.js';
import { rawRequest } from './raw.request.js';

/** Who answers a request: an endpoint, or the groups it got lost in. */
export type Responder =
  | { readonly kind: 'endpoint'; readonly endpoint: CompiledEndpoint; readonly request: EndpointRequest }
  | { readonly kind: 'miss'; readonly groups: readonly EndpointGroup[]; readonly request: EndpointRequest };

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
  readonly #answers = new PerRequest<Answer | undefined>();

  constructor(
    private readonly edge: HttpEdge,
    private readonly directory: EndpointDirectory,
    private readonly identities: Identities,
  ) {}

  async handle(leaf: RouteLeaf, native: unknown): Promise<Answer | Reply> {
    const responder = this.responderOf(native);
    if (responder.kind === 'miss' || responder.endpoint.leaf !== leaf) throw new NotFound();
    const { endpoint, request } = responder;
    const reply = await endpoint.handler(request);
    if (!(reply instanceof TextReply)) return reply;
    return this.answer(responder, reply.statusCode, this.#envelope(endpoint, reply));
  }

  responderOf(native: unknown): Responder {
    const raw = rawRequest(native);
    const { match, queryString } = this.edge.routeOf(raw);
    const request = new EndpointRequest(
      raw.method ?? 'GET',
      (raw.url ?? '/').split('?', 1)[0] ?? '/',
      match?.kind === 'endpoint' ? match.parameters : {},
      queryString,
      raw.headers,
      this.edge.bodyOf(raw),
      this.identities.of(raw),
      native,
    );
    if (match?.kind === 'endpoint')
      return { kind: 'endpoint', endpoint: this.directory.endpointAt(match.leaf), request };
    return { kind: 'miss', groups: match?.groups ?? [], request };
  }

  /** An answer with the headers that the endpoint or its groups put on every answer. */
  async answer(responder: Responder, statusCode: number, body: string): Promise<Answer> {
    const style =
      responder.kind === 'endpoint' ? responder.endpoint.style : this.directory.styleOf(responder.groups);
    const fork = responder.kind === 'endpoint' ? responder.endpoint.fork : noDatabase;
    const headers = style.fixedHeaders ?? (await style.headers(() => responder.request.context(fork)));
    const answer = new Answer(statusCode, body, headers);
    this.#answers.set(rawRequest(responder.request.native), answer);
    return answer;
  }

  /**
   * The answer that was made for a request; undefined when none was. Interceptors around a whole application, such as
   * Nest's ClassSerializerInterceptor, take an answer apart: what they give is no answer, so this one is sent.
   */
  answerTo(native: unknown): Answer | undefined {
    return this.#answers.get(rawRequest(native), () => undefined);
  }

  #envelope({ style: { envelope } }: CompiledEndpoint, { data, pagination }: TextReply): string {
    return envelope.success(data, pagination === undefined ? undefined : envelope.pagination(pagination));
  }
}

function noDatabase(): never {
  throw new Error('No endpoint answers this request, so there is no database to ask');
}
