import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { SessionContext } from '@mikro-orm/core';
import type { AuthorizationRequest } from '../../access/authorization.js';
import { jsonObject, requiredJsonObject } from '../../request/json.body.js';
import type { RawBody } from '../../request/raw.body.js';
import { parseQueryLists, parseQueryString } from '../../request/query.string.js';
import { Cancellation } from '../../limits/cancellation.js';
import type { Identity } from '../../model/registered.identity.js';
import type { Viewer } from '../../database/viewer.js';
import type { WriteMark } from '../../replicas/write.mark.js';
import type { Scoped } from '../../visibility/scoped.records.js';
import type { Session } from '../../visibility/session.js';
import type { RequestContext } from '../../access/request.context.js';
import { isCommandRequest } from './command.request.js';
import { addressIn } from './request.address.js';
import { AuthorizationView, RequestView, type ViewOptions } from './request.view.js';
import type { PathParameters } from '../route.pattern.js';
import type { Sender } from './sender.js';

/** Request ids that are taken as they are sent. What is not well-formed could forge lines of a log. */
const wellFormed = /^[\w.-]{1,128}$/;

/** Gives the platform's own request, when a function of the user's first asks for it. */
export interface NativeSource {
  nativeOf(raw: unknown): unknown;
  /** Gives the sender's address, without the platform's request where it needs none. */
  addressOf?(raw: unknown): string | undefined;
}

/** The parts of what arrived that a request asks for. */
interface Arrived {
  /** The body, once it is there. */
  readonly body: RawBody;
  /** The session of the request that this one is a part of; undefined for most. */
  readonly whole: Session | undefined;
}

/** A request as the stages of the pipeline see it: what it brought, and what is known of its sender. */
export class EndpointRequest {
  #authorizationRequest: AuthorizationRequest | undefined;
  #session: Session | undefined;
  readonly #sender: Sender;
  /** Says when nobody waits for the answer any more. */
  readonly cancellation = new Cancellation();
  #id: string | undefined;
  #native: unknown;
  /** The session of the request that this one is a part of; undefined for most. */
  readonly whole: Session | undefined;

  /**
   * @param given the platform's own request, or Node's where `source` makes the platform's of it
   */
  constructor(
    readonly method: string,
    /** Without the query string. */
    readonly path: string,
    readonly routingData: PathParameters,
    /** Without the question mark. */
    readonly queryString: string,
    readonly headers: IncomingHttpHeaders,
    private readonly arrived: Arrived,
    readonly given: unknown,
    sender: Sender,
    private readonly opens: (request: EndpointRequest) => Session,
    private readonly source?: NativeSource,
  ) {
    this.#sender = sender;
    this.whole = arrived.whole;
  }

  /**
   * Makes a request to another endpoint, which is a part of this one: of its sender, in the transaction of {@link Session.shared}.
   *
   * @param to where it would have been sent
   * @param identity the sender as that endpoint knows it
   * @param viewerOf tells what it may see
   */
  partFor(
    to: Pick<EndpointRequest, 'method' | 'path'>,
    identity: Identity,
    viewerOf: (part: EndpointRequest) => Viewer,
  ): EndpointRequest {
    const { sessionContext, schema } = this;
    const sender = {
      identity,
      sessionContext,
      schema,
      expected: undefined,
      nobody: undefined,
      isKnown: true,
    };
    const opens = (part: EndpointRequest): Session => this.session.part(viewerOf(part));
    const { headers, arrived, given, source } = this;
    const part = new EndpointRequest(
      to.method,
      to.path,
      {},
      '',
      headers,
      arrived,
      given,
      sender,
      opens,
      source,
    );
    part.#id = this.requestId;
    return part;
  }

  /** The id that a client or a proxy gave a request in `X-Request-Id`; else a random one. */
  static idOf({ 'x-request-id': sent }: IncomingHttpHeaders): string {
    return typeof sent === 'string' && wellFormed.test(sent) ? sent : randomUUID();
  }

  /** Gives the request as if it were sent again now: nothing is known of its sender, and nothing was read for it. */
  again(sender: Sender): EndpointRequest {
    const { method, path, routingData, queryString, headers, arrived, given, opens, source } = this;
    return new EndpointRequest(
      method,
      path,
      routingData,
      queryString,
      headers,
      arrived,
      given,
      sender,
      opens,
      source,
    );
  }

  /** True if it comes from the command line of this process, where a person may do what a client may not. */
  get isCommand(): boolean {
    return isCommandRequest(this.given);
  }

  /** True if it is a part of another request, as the operations of a Batch are. */
  get isPart(): boolean {
    return this.whole !== undefined;
  }

  /** The body as it came; none before it is there. */
  get body(): RawBody {
    return this.arrived.body;
  }

  /** The sender's address, as the platform tells it: its `trust proxy` settings count. */
  get address(): string | undefined {
    const { source, given } = this;
    return source?.addressOf === undefined ? addressIn(given) : source.addressOf(given);
  }

  /** The platform's own request object. */
  get native(): unknown {
    return (this.#native ??= this.source === undefined ? this.given : this.source.nativeOf(this.given));
  }

  /** The sender as authentication found it; undefined before it, and when the endpoint is public. */
  get authorizationData(): Identity {
    return this.#sender.identity;
  }

  /** The id by which logs and the user's own code tell this request from others. */
  get requestId(): string {
    return (this.#id ??= EndpointRequest.idOf(this.headers));
  }

  /** The variables and the role of row level security; undefined where it is not used. */
  get sessionContext(): SessionContext | undefined {
    return this.#sender.sessionContext;
  }

  /** The schema of the sender's tables; undefined for MikroORM's. */
  get schema(): string | undefined {
    return this.#sender.schema;
  }

  /** The write that the client says it must see. */
  get expected(): WriteMark | undefined {
    return this.#sender.expected;
  }

  /** The thing that this request may be waiting for in vain, in words for the log. */
  get waitingFor(): string | undefined {
    return this.#session?.waitingFor;
  }

  /** Makes `em` one that functions of the user's may be given; without a database there is nothing to do. */
  async enterDatabase(): Promise<void> {
    await this.#session?.enter();
  }

  /** Keeps what the request has done so far: what follows stands outside of its transaction. */
  async leaveTransaction(): Promise<void> {
    await this.#session?.leave();
  }

  /** The session through which this request reads and writes; opened when a stage first asks. */
  get session(): Session {
    return (this.#session ??= this.opens(this));
  }

  /** The records that this request may see, for queries of the user's own. Rejects until its sender is known. */
  get scoped(): Scoped {
    return async (entity) => {
      if (this.#sender.isKnown) return this.session.scoped(entity);
      throw new TypeError('scoped: nobody knows yet who sent the request');
    };
  }

  /** The members of the body, a JSON object; undefined without a body. @throws BadRequest, ContentTooLarge, UnsupportedMediaType */
  jsonObject(): ReadonlyMap<string, unknown> | undefined {
    return jsonObject(this.arrived.body);
  }

  /** {@link jsonObject} where a body is required. */
  requiredJsonObject(): ReadonlyMap<string, unknown> {
    return requiredJsonObject(this.arrived.body);
  }

  /** @throws BadRequest when the query string is malformed, or names a parameter twice */
  get queryParameters(): ReadonlyMap<string, string> {
    return parseQueryString(this.queryString);
  }

  /** All values of each parameter of the query string. @throws BadRequest when it is malformed */
  get queryLists(): ReadonlyMap<string, readonly string[]> {
    return parseQueryLists(this.queryString);
  }

  /** The last value of each parameter of the query string. @throws BadRequest when it is malformed */
  get lastQueryParameters(): ReadonlyMap<string, string> {
    return new Map([...this.queryLists].map(([name, values]) => [name, values.at(-1) ?? '']));
  }

  /** The view of this request that authorizations get. */
  get authorizationRequest(): AuthorizationRequest {
    return (this.#authorizationRequest ??= new AuthorizationView(this));
  }

  /**
   * Makes the view of this request that functions of the user's configuration get.
   *
   * @param more what they see beside it, under names that it has not
   */
  context<More extends object>(more: More, options?: ViewOptions): RequestContext & More;
  context(): RequestContext;
  context(more?: object, options?: ViewOptions): RequestContext {
    const view = new RequestView(this, options);
    return more === undefined ? view : Object.assign(view, more);
  }
}
