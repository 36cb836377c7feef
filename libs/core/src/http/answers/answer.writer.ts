import { dropReply } from '../../endpoint/dropped.reply.js';
import type { RawReply } from '../../endpoint/reply.js';
import { Answer, type HeaderLines } from '../../wire/answer.js';
import { problemIn } from '../../wire/header.lines.js';
import { isStatusCode } from '../../wire/status.code.js';
import { styleOf, type Responder } from '../responder.js';

const noHeaders: HeaderLines = [];

/**
 * An answer with the headers that the endpoint or its groups put on every answer, kept on its exchange.
 *
 * @param own headers of this answer alone
 */
export function textAnswer(
  responder: Responder,
  statusCode: number,
  body: string,
  own: HeaderLines = noHeaders,
): Answer | Promise<Answer> {
  const style = styleOf(responder);
  const { fixedHeaders } = style;
  if (fixedHeaders !== undefined) return kept(responder, statusCode, body, style.joined(fixedHeaders, own));
  return style
    .headers(() => responder.request.context())
    .then((headers) => kept(responder, statusCode, body, style.joined(headers, own)));
}

/** An answer with the headers of a reply; functions of the user's may give some of them, and throw. */
export async function rawAnswer(responder: Responder, reply: RawReply): Promise<Answer> {
  const { body, contentType, statusCode, headers } = reply;
  const style = styleOf(responder);
  try {
    refuseUnsendable(reply);
    const usual = style.fixedHeaders ?? (await style.headers(() => responder.request.context()));
    const lines = style.joined(usual, headers, reply.isForwarded);
    return (responder.exchange.answer = new Answer(statusCode, body, lines, contentType));
  } catch (error) {
    dropReply(reply);
    throw error;
  }
}

function kept({ exchange }: Responder, statusCode: number, body: string, headers: HeaderLines): Answer {
  return (exchange.answer = new Answer(statusCode, body, headers));
}

/** @throws TypeError for what is no status code of an answer, as `Response.error()` has it, and no media type */
function refuseUnsendable({ statusCode, contentType }: RawReply): void {
  if (!isStatusCode(statusCode, 200, 599))
    throw new TypeError(`${statusCode} is no status code of an answer`);
  const problem = problemIn([['Content-Type', contentType]]);
  if (problem !== undefined) throw new TypeError(problem);
}
