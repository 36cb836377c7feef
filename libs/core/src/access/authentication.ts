import type { IncomingHttpHeaders } from 'node:http';

/** What an authentication sees of a request: no body, because bodies are judged after it. */
export interface Credentials {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  /** The platform's own request object. */
  readonly native: unknown;
}

/** How generated documentation describes an authentication. */
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
  /** For generated documentation. Default: the endpoint is shown as public. */
  readonly securityScheme?: SecurityScheme;
  /**
   * The authorization data of the request, e.g. the claims of its token.
   * @throws NotAuthenticated when the request proves no identity
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
