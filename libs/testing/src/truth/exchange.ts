import type { IncomingHttpHeaders } from 'node:http';

/** A request with its answer, as they went over the wire. */
export interface Exchange {
  /** In upper case. */
  readonly method: string;
  /** The path with its query string. */
  readonly target: string;
  /** The headers, by name in lower case. */
  readonly requestHeaders: IncomingHttpHeaders;
  readonly requestType: string | undefined;
  /** Undefined when there was none, or not all of it was read. */
  readonly requestBody: string | undefined;
  readonly status: number;
  readonly contentType: string | undefined;
  readonly body: string;
}
