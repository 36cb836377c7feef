import { StreamBody } from './stream.body.js';

export type HeaderLine = readonly [name: string, value: string];

/** Header lines of an answer, in the order they are set. */
export type HeaderLines = readonly HeaderLine[];

export const jsonContentType = 'application/json; charset=UTF-8';

/**
 * The length of a text, in characters, from which it becomes bytes at once. JavaScript keeps text in its heap until a
 * slow client has read it, but not bytes. So large lists do not end a process whose heap is small.
 */
const longText = 65_536;

/** A media type of JSON: `application/problem+json`, say. */
const isJson = /^application\/(?:[\w.-]+\+)?json\b/;

/** A finished answer: what goes on the wire, whatever the HTTP platform. */
export class Answer {
  readonly body: string | Buffer | StreamBody;

  constructor(
    readonly statusCode: number,
    body: string | Buffer | StreamBody,
    readonly headers: HeaderLines = [],
    /** Empty for none. */
    readonly contentType: string = jsonContentType,
    /** The value of the header `ETag`, where the lines have none: they are the same for many answers, it is not. */
    readonly entityTag?: string,
    /** The value of the header `Location`, likewise. */
    readonly location?: string,
  ) {
    this.body = typeof body === 'string' && body.length > longText ? Buffer.from(body) : body;
  }

  /** Gives what an interceptor of the user sees when it serialises an answer. */
  toJSON(): unknown {
    if (this.body instanceof StreamBody) return undefined;
    const text = this.body.toString();
    return isJson.test(this.contentType) ? JSON.parse(text) : text;
  }
}
