import { dropReply } from '../../endpoint/dropped.reply.js';
import type { PlainReply, RawReply } from '../../endpoint/reply.js';
import { Answer, jsonContentType, type HeaderLines } from '../../wire/answer.js';
import { problemIn } from '../../wire/header.lines.js';
import { jsonOf } from '../../wire/json.text.js';
import { isStatusCode } from '../../wire/status.code.js';
import type { Responder } from '../responder.js';

const noHeaders: HeaderLines = [];

/** A plain value, and what stands beside it in its answer. */
type PlainData = Pick<PlainReply, 'data' | 'pagination' | 'statusCode' | 'headers' | 'entityTag'>;

/**
 * An answer with the headers that the endpoint or its groups put on every answer, kept on its exchange. Most answers
 * share one list of them, which was made at the start.
 *
 * @param own headers of this answer alone
 * @param entityTag the value of its `ETag`
 */
export function textAnswer(
  responder: Responder,
  statusCode: number,
  body: string,
  own: HeaderLines = noHeaders,
  entityTag?: string,
): Answer | Promise<Answer> {
  const { exchange, style } = responder;
  const shared = entityTag === undefined ? style.fixedHeaders : style.taggedHeaders;
  if (shared !== undefined && own.length === 0)
    return (exchange.answer = new Answer(statusCode, body, shared, jsonContentType, entityTag));
  const lines: HeaderLines = entityTag === undefined ? own : [['ETag', entityTag], ...own];
  if (style.fixedHeaders !== undefined)
    return (exchange.answer = new Answer(statusCode, body, style.joined(style.fixedHeaders, lines)));
  return style
    .headers(() => responder.request.context())
    .then((headers) => (exchange.answer = new Answer(statusCode, body, style.joined(headers, lines))));
}

/** An answer with a plain value in the envelope. The value itself is not cased. */
export function plainAnswer(
  responder: Responder,
  { data, pagination, statusCode, headers, entityTag }: PlainData,
): Answer | Promise<Answer> {
  const text = responder.style.envelope.success(jsonOf(data), pagination);
  return textAnswer(responder, statusCode, text, headers, entityTag);
}

/** An answer with the headers of a reply; functions of the user's may give some of them, and throw. */
export async function rawAnswer(responder: Responder, reply: RawReply): Promise<Answer> {
  const { body, contentType, statusCode, headers, entityTag } = reply;
  const { exchange, style } = responder;
  try {
    refuseUnsendable(reply);
    const { taggedHeaders: shared } = style;
    if (entityTag !== undefined && headers.length === 0 && shared !== undefined)
      return (exchange.answer = new Answer(statusCode, body, shared, contentType, entityTag));
    const usual = style.fixedHeaders ?? (await style.headers(() => responder.request.context()));
    const own: HeaderLines = entityTag === undefined ? headers : [['ETag', entityTag], ...headers];
    const lines = style.joined(usual, own, reply.isForwarded);
    return (exchange.answer = new Answer(statusCode, body, lines, contentType));
  } catch (error) {
    dropReply(reply);
    throw error;
  }
}

/** @throws TypeError for what is no status code of an answer, as `Response.error()` has it, and no media type */
function refuseUnsendable({ statusCode, contentType }: RawReply): void {
  if (!isStatusCode(statusCode, 200, 599))
    throw new TypeError(`${statusCode} is no status code of an answer`);
  if (contentType === jsonContentType) return;
  const problem = problemIn([['Content-Type', contentType]]);
  if (problem !== undefined) throw new TypeError(problem);
}
