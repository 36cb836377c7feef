import { dropReply } from '../../endpoint/dropped.reply.js';
import type { PlainReply, RawReply } from '../../endpoint/reply.js';
import { Answer, jsonContentType, type HeaderLine, type HeaderLines } from '../../wire/answer.js';
import { problemIn } from '../../wire/header.lines.js';
import { jsonOf } from '../../wire/json.text.js';
import type { Pagination } from '../../wire/pagination.js';
import { isStatusCode } from '../../wire/status.code.js';
import type { Responder } from '../responder.js';
import type { AnswerStyle } from './answer.style.js';

/** The parts of one answer that stand beside its body. */
interface Beside {
  /** Headers of this answer alone. */
  readonly headers: HeaderLines;
  /** The value of its `ETag`. */
  readonly entityTag?: string | undefined;
  /** The value of its `Location`. */
  readonly location?: string | undefined;
}

/** A success, but for its data. */
interface Success extends Beside {
  readonly pagination?: Pagination | undefined;
  readonly statusCode: number;
}

/**
 * An answer with the headers that the endpoint or its groups put on every answer, kept on its exchange. Most answers
 * share one list of them, which was made at the start.
 */
export function textAnswer(
  responder: Responder,
  statusCode: number,
  body: string,
  beside: Beside,
  contentType = responder.style.format.contentType,
): Answer | Promise<Answer> {
  const { exchange, style } = responder;
  const { headers: own, entityTag, location } = beside;
  const shared = sharedHeaders(style, entityTag, location);
  if (shared !== undefined && own.length === 0)
    return (exchange.answer = new Answer(statusCode, body, shared, contentType, entityTag, location));
  const lines = [...linesOf(beside), ...own];
  const finished = (headers: HeaderLines): Answer =>
    (exchange.answer = new Answer(statusCode, body, style.joined(headers, lines), contentType));
  if (style.fixedHeaders !== undefined) return finished(style.fixedHeaders);
  return style.headers(() => responder.request.context()).then(finished);
}

/** A success as the endpoint's format writes it. @param data the JSON text of the data */
export function dataAnswer(responder: Responder, data: string, success: Success): Answer | Promise<Answer> {
  const { format } = responder.style;
  const { pagination, statusCode } = success;
  const body = format.success(data, pagination);
  const { part } = responder.exchange;
  if (part !== undefined) part.success = { ...success, data, pagination, entityTag: tagOf(success) };
  if (pagination === undefined || format.pageHeaders === undefined)
    return textAnswer(responder, statusCode, body, success);
  const { headers, entityTag, location } = success;
  const paged = [...format.pageHeaders(pagination, responder.request), ...headers];
  return textAnswer(responder, statusCode, body, { headers: paged, entityTag, location });
}

/** An answer with a plain value. The value itself is not cased. */
export function plainAnswer(
  responder: Responder,
  success: Success & Pick<PlainReply, 'data'>,
): Answer | Promise<Answer> {
  return dataAnswer(responder, jsonOf(success.data), success);
}

/** An answer with the headers of a reply; functions of the user's may give some of them, and throw. */
export async function rawAnswer(responder: Responder, reply: RawReply): Promise<Answer> {
  const { body, contentType, statusCode, headers, entityTag } = reply;
  const { exchange, style } = responder;
  try {
    refuseUnsendable(reply);
    const { taggedHeaders: shared, fixedHeaders, fixedType } = style;
    const { takesType } = reply;
    if (entityTag !== undefined && headers.length === 0 && shared !== undefined && !takesType)
      return (exchange.answer = new Answer(statusCode, body, shared, contentType, entityTag));
    const { headers: usual, contentType: given } =
      fixedHeaders === undefined
        ? await style.rawHeaders(() => responder.request.context())
        : { headers: fixedHeaders, contentType: fixedType };
    const own: HeaderLines = entityTag === undefined ? headers : [['ETag', entityTag], ...headers];
    const lines = style.joined(usual, own, reply.isForwarded);
    const type = takesType ? (given ?? contentType) : contentType;
    return (exchange.answer = new Answer(statusCode, body, lines, type));
  } catch (error) {
    dropReply(reply);
    throw error;
  }
}

/** @throws TypeError for what is no status code of an answer, as `Response.error()` has it, and no media type */
function refuseUnsendable({ statusCode, contentType }: RawReply): void {
  if (!isStatusCode(statusCode, 200, 599))
    throw new TypeError(`${statusCode} is no status code of an answer`);
  if (contentType === jsonContentType || contentType === '') return;
  const problem = problemIn([['Content-Type', contentType]]);
  if (problem !== undefined) throw new TypeError(problem);
}

/** The entity tag of an answer, which a kind of the user's may put among its headers. */
function tagOf({ entityTag, headers }: Beside): string | undefined {
  return entityTag ?? headers.find(([name]) => name.toLowerCase() === 'etag')?.[1];
}

/** The list that answers with these two share; undefined where it depends on the request. */
function sharedHeaders(
  style: AnswerStyle,
  entityTag: string | undefined,
  location: string | undefined,
): HeaderLines | undefined {
  if (location === undefined) return entityTag === undefined ? style.fixedHeaders : style.taggedHeaders;
  return entityTag === undefined ? style.placedHeaders : style.taggedPlacedHeaders;
}

function* linesOf({ entityTag, location }: Beside): Generator<HeaderLine> {
  if (entityTag !== undefined) yield ['ETag', entityTag];
  if (location !== undefined) yield ['Location', location];
}
