import { STATUS_CODES, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { endSoon, isEnding } from '../closing/lingering.close.js';
import type { AnswerFormat } from '../../wire/answer.format.js';

/**
 * The status codes of what Node's HTTP parser refuses before there is a request, by its error code; everything else is a
 * 400.
 */
const statusCodes: ReadonlyMap<unknown, number> = new Map([
  ['HPE_HEADER_OVERFLOW', 431],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', 413],
  ['ERR_HTTP_REQUEST_TIMEOUT', 408],
]);

const none: ReadonlyMap<string, string> = new Map();

/** Answers as the application does, as long as the socket can still be written to, and closes it. */
export function answerClientError(format: AnswerFormat, error: Error, socket: Duplex): void {
  // The rest of what could not be read is no second mistake.
  if (isEnding(socket)) return;
  const code: unknown = Reflect.get(error, 'code');
  if (code === 'ECONNRESET' || !socket.writable || isAnswering(socket)) {
    socket.destroy();
    return;
  }
  const statusCode = statusCodes.get(code) ?? 400;
  const { message, body } = refused(format, statusCode);
  socket.write(
    `HTTP/1.1 ${statusCode} ${message}\r\nConnection: close\r\nContent-Type: ${format.refusalType}\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  endSoon(socket);
}

/** True if an answer has begun on the connection. Another one in it would be taken for a part of it. */
function isAnswering(socket: Duplex): boolean {
  const answer = Reflect.get(socket, '_httpMessage') as { readonly headersSent?: boolean } | null | undefined;
  return answer?.headersSent === true;
}

/** Node knows `Expect: 100-continue` only; what else a client expects is refused (RFC 9110, 15.5.18). */
export function answerExpectation(format: AnswerFormat, response: ServerResponse): void {
  response.writeHead(417, { 'Content-Type': format.refusalType }).end(refused(format, 417).body);
}

function refused(
  format: AnswerFormat,
  statusCode: number,
): { readonly message: string; readonly body: string } {
  const message = STATUS_CODES[statusCode] ?? 'Bad Request';
  const facts = {
    statusCode,
    status: 'client_error',
    message,
    inputErrors: none,
    hasWholeNames: false,
  } as const;
  return { message, body: format.refusal(facts) };
}
