import type { IncomingHttpHeaders } from 'node:http';
import type { SqlEntityManager } from '@mikro-orm/sql';
import type { AuthorizationRequest } from '../../access/authorization.js';
import type { RequestContext } from '../../access/request.context.js';
import type { Cancellation } from '../../limits/cancellation.js';
import type { Identity } from '../../model/registered.identity.js';
import type { Scoped } from '../../visibility/scoped.records.js';
import type { Session } from '../../visibility/session.js';
import { addressIn } from './request.address.js';
import type { PathParameters } from '../route.pattern.js';

export interface ViewedRequest {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly routingData: PathParameters;
  /** Without the question mark. */
  readonly queryString: string;
  readonly authorizationData: Identity;
  readonly requestId: string;
  readonly cancellation: Cancellation;
  readonly session: Session;
  readonly scoped: Scoped;
  /** The platform's own request object. */
  readonly native: unknown;
}

/** The differences between the view of a function and that of others. */
export interface ViewOptions {
  /** Gives the session of the entity manager. Default: the request's own. */
  readonly sessionOf?: (() => Session) | undefined;
  /** The parameters of the query string as they were read. Default: their texts. */
  readonly queryParameters?: unknown;
}

/**
 * The view of a request that functions of the user's configuration get. Nothing is worked out before somebody asks.
 *
 * The getters are of the class, not of each object. An object literal with getters has a hidden class of its own. V8
 * keeps that until a full collection, with the request that the getters know.
 */
export class RequestView implements RequestContext {
  readonly #request: ViewedRequest;
  readonly #sessionOf: (() => Session) | undefined;
  #queryParameters: unknown;

  constructor(request: ViewedRequest, { sessionOf, queryParameters }: ViewOptions = {}) {
    this.#request = request;
    this.#sessionOf = sessionOf;
    this.#queryParameters = queryParameters;
  }

  get routingData(): Readonly<Record<string, string>> {
    return this.#request.routingData;
  }

  get requestHeaders(): IncomingHttpHeaders {
    return this.#request.headers;
  }

  get authorizationData(): Identity {
    return this.#request.authorizationData;
  }

  get ip(): string | undefined {
    return addressIn(this.request);
  }

  get request(): unknown {
    return this.#request.native;
  }

  get queryParameters(): Readonly<Record<string, string>> {
    this.#queryParameters ??= Object.fromEntries(new URLSearchParams(this.#request.queryString));
    return this.#queryParameters as Readonly<Record<string, string>>;
  }

  get requestId(): string {
    return this.#request.requestId;
  }

  get signal(): AbortSignal {
    return this.#request.cancellation.signal;
  }

  get em(): SqlEntityManager {
    return (this.#sessionOf?.() ?? this.#request.session).em;
  }

  get scoped(): Scoped {
    return this.#request.scoped;
  }
}

/** The view of a request that authorizations get. */
export class AuthorizationView extends RequestView implements AuthorizationRequest {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;

  constructor(request: ViewedRequest) {
    super(request);
    this.method = request.method;
    this.headers = request.headers;
  }

  get native(): unknown {
    return this.request;
  }
}
