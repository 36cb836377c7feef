import type { HeaderLines } from '../wire/answer.js';
import type { Pagination } from '../wire/pagination.js';
import type { StreamBody } from '../wire/stream.body.js';
import { outcomes } from '../wire/outcome.table.js';
import { AnswerTooLong, longestAnswer } from '../wire/refusals.js';

const none: HeaderLines = [];

/** A success whose data is JSON text already, its names cased: it skips the envelope and casing interceptors. */
export class TextReply {
  /** @throws AnswerTooLong for data around which nothing more can be written */
  constructor(
    readonly data: string,
    readonly pagination?: Pagination,
    readonly statusCode: number = outcomes.success.statusCode,
    /** Beside those that the endpoint puts on every answer. */
    readonly headers: HeaderLines = none,
    /** The value of the header `ETag`, with its quotes; undefined for none. */
    readonly entityTag?: string,
    /** The value of the header `Location`; undefined for none. */
    readonly location?: string,
  ) {
    if (data.length > longestAnswer) throw new AnswerTooLong();
  }
}

/** A success whose data is a plain value, written as it is; the interceptors put the envelope around it. */
export class PlainReply {
  constructor(
    readonly data: unknown,
    readonly pagination?: Pagination,
    readonly statusCode: number = outcomes.success.statusCode,
    /** Beside those that the endpoint puts on every answer. */
    readonly headers: HeaderLines = none,
    /** The value of the header `ETag`, with its quotes; undefined for none. */
    readonly entityTag?: string,
    /** The value of the header `Location`; undefined for none. */
    readonly location?: string,
  ) {}
}

/** A success outside of the envelope: it is sent as it is, with the headers of the endpoint before its own. */
export class RawReply {
  constructor(
    readonly body: string | Buffer | StreamBody,
    /** Empty for none. */
    readonly contentType: string,
    readonly headers: HeaderLines = none,
    readonly statusCode: number = outcomes.success.statusCode,
    /** True if its headers are another server's: those of the endpoint win over them. */
    readonly isForwarded = false,
    /** The value of the header `ETag`, with its quotes; undefined for none. */
    readonly entityTag?: string,
    /** True if a `Content-Type` of `responseHeaders` is its own: functions of the user's give plain text. */
    readonly takesType = false,
  ) {}

  /** A reply with what a function of the user's has given. */
  static given(
    body: RawReply['body'],
    contentType: string,
    headers?: HeaderLines,
    statusCode?: number,
    isForwarded?: boolean,
  ): RawReply {
    return new RawReply(body, contentType, headers, statusCode, isForwarded, undefined, true);
  }
}

/** A success that the endpoint's `Answers` write, in the envelope by default. */
export type RecordReply = TextReply | PlainReply;

/** The result of a handler; refusals are thrown. */
export type Reply = RecordReply | RawReply;
