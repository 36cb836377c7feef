import type { HeaderLines } from '../wire/answer.js';

/** The facts about the endpoints of a path that its OPTIONS answer needs. */
export interface Preflight {
  /** Methods of every endpoint that shares the path. */
  readonly methods: readonly string[];
  /** Request headers that authentication reads, and those the client asked for that the endpoint reads. */
  readonly requestHeaders: readonly string[];
}

/** A header, or a few that belong together, which protect the clients of an endpoint. */
export interface SecurityHeader {
  /** On every answer of the endpoint, errors included. */
  readonly headers: HeaderLines;
  /** On the answer to OPTIONS, beside {@link headers}. */
  preflightHeaders?(preflight: Preflight): HeaderLines;
  /** On an answer that has headers of these names, which scripts of other origins would not see. */
  exposingHeaders?(names: readonly string[]): HeaderLines;
}
