import type { HttpMethod } from '../../endpoint/http.method.js';

/** A value of an earlier answer, as an operation names it: `trip.id`. */
export interface Reference {
  /** The whole, as it was sent. */
  readonly text: string;
  /** The position of the operation that it is an answer to. */
  readonly of: number;
  /** The members that lead to it within the data. */
  readonly steps: readonly string[];
}

/** One operation of a batch as it was sent, with its references read. */
export interface Operation {
  /** The place in messages: `operations.1`. */
  readonly place: string;
  /** The places of its parts. */
  readonly at: Readonly<Record<'path' | 'body' | 'with', string>>;
  readonly method: HttpMethod;
  /** Texts and references in turn, which make the path. */
  readonly path: readonly (string | Reference)[];
  /** Its own headers, by their names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  /** A JSON value; undefined for none. */
  readonly body: unknown;
  /** Members of the body that are values of earlier answers. */
  readonly with: ReadonlyMap<string, Reference>;
}
