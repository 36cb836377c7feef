import type { IncomingHttpHeaders } from 'node:http';
import type { InjectionToken } from '@nestjs/common';
import type { RequestContext } from './request.context.js';

/**
 * The parts of a request that an authentication sees. There is no body, because bodies are judged after it.
 * @typeParam Injected the providers of {@link Authentication.inject}, by their names
 */
export interface Credentials<Injected extends object = Readonly<Record<string, unknown>>> {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  /** The platform's own request object. */
  readonly native: unknown;
  /**
   * Makes the argument of a configured function: everything of a {@link RequestContext}, and the providers of {@link
   * Authentication.inject} under their names. Its `em` knows no identity, because there is none yet.
   */
  context(): Promise<RequestContext & Injected>;
}

/** The description of an authentication in generated documentation. */
export interface SecurityScheme {
  /** The name under which the document has the scheme, e.g. `jwt`. */
  readonly name: string;
  /** A Security Scheme Object of OpenAPI. */
  readonly scheme: Readonly<Record<string, unknown>>;
  /** The scopes that a request needs. Default none. */
  readonly scopes?: readonly string[];
}

/** Tells who sent a request. */
export interface Authentication {
  /** Request headers that browsers must be allowed to send, e.g. `Authorization`. */
  readonly allowedHeaders: readonly string[];
  /** Providers of Nest for {@link Credentials.context}: their tokens by the names they get there. Default none. */
  readonly inject?: Readonly<Record<string, InjectionToken>>;
  /** False if neither it nor a function that it calls looks at {@link Credentials.native}. Default: it may. */
  readonly seesRequest?: boolean;
  /** For generated documentation. Default: the endpoint is shown as public. */
  readonly securityScheme?: SecurityScheme;
  /**
   * The authorization data of the request, e.g. the claims of its token; or a promise of it.
   * @throws NotAuthenticated when the request proves no identity; ServiceUnavailable when that cannot be found out now
   */
  authenticate(credentials: Credentials): unknown;
}

/** The default: every request is welcome, and has no identity. */
export class Public implements Authentication {
  readonly allowedHeaders: readonly string[] = [];

  authenticate(): undefined {
    return undefined;
  }
}
