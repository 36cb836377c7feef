import type { IncomingHttpHeaders } from 'node:http';

/** What a request says of itself and of its sender, beside its body. */
export interface RequestFacts {
  /** The path parameters. */
  readonly routingData: Readonly<Record<string, string>>;
  /** The headers; their names are in lower case. */
  readonly requestHeaders: IncomingHttpHeaders;
  /** What the endpoint's authentication found, e.g. the claims of a token; undefined on public endpoints. */
  readonly authorizationData: unknown;
  /** The sender's address, as the platform's `request.ip` has it: its `trust proxy` settings count. */
  readonly ip: string | undefined;
  /** The platform's own request object. */
  readonly request: unknown;
}
