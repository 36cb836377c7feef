import type { IncomingHttpHeaders } from 'node:http';
import type { Identity } from './registered.identity.js';

/** The facts about a request and its sender, beside its body. */
export interface RequestFacts {
  /** The path parameters. */
  readonly routingData: Readonly<Record<string, string>>;
  /** The headers; their names are in lower case. */
  readonly requestHeaders: IncomingHttpHeaders;
  /** The result of the endpoint's authentication, e.g. the claims of a token; undefined on public endpoints. */
  readonly authorizationData: Identity;
  /** The sender's address, as the platform's `request.ip` has it: its `trust proxy` settings count. */
  readonly ip: string | undefined;
  /** The platform's own request object. */
  readonly request: unknown;
}
