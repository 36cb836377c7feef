import { StreamBody } from './stream.body.js';

export type HeaderLine = readonly [name: string, value: string];

/** Header lines of an answer, in the order they are set. */
export type HeaderLines = readonly HeaderLine[];

export const jsonContentType = 'application/json; charset=UTF-8';

/** A finished answer: what goes on the wire, whatever the HTTP platform. */
export class Answer {
  constructor(
    readonly statusCode: number,
    readonly body: string | Buffer | StreamBody,
    readonly headers: HeaderLines = [],
    readonly contentType: string = jsonContentType,
  ) {}

  /** What an interceptor of the user sees when it serialises an answer. */
  toJSON(): unknown {
    if (this.body instanceof StreamBody) return undefined;
    const text = this.body.toString();
    return this.contentType === jsonContentType ? JSON.parse(text) : text;
  }
}
