import type { ServerResponse } from 'node:http';
import type { Answer, HeaderLines } from '../../wire/answer.js';
import { StreamBody } from '../../wire/stream.body.js';
import { watchFlow } from '../answers/stream.flow.js';

type Headers = Record<string, string | string[]>;

/** Lists of headers that many answers share, with their names as Fastify writes them. */
const lowered = new WeakMap<HeaderLines, HeaderLines>();

/** Writes an answer as Fastify does: names of headers in lower case, the length behind the others. */
export function writeAsFastify(response: ServerResponse, answer: Answer, requestId: string): void {
  const { statusCode, contentType, body, entityTag, location } = answer;
  const headers: Headers = { 'x-request-id': requestId };
  if (contentType !== '') headers['content-type'] = contentType;
  for (const [name, value] of loweredLines(answer.headers)) add(headers, name, value);
  if (entityTag !== undefined) headers['etag'] = entityTag;
  if (location !== undefined) headers['location'] = location;
  response.statusCode = statusCode;
  if (body instanceof StreamBody) {
    flow(body, response, headers);
    return;
  }
  const isEmpty = statusCode === 304 || body === '';
  if (isEmpty && statusCode !== 204 && statusCode !== 304) headers['content-length'] = '0';
  if (!isEmpty && statusCode !== 204) {
    headers['content-type'] ??=
      typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/octet-stream';
    if (typeof body === 'string') headers['content-type'] = withCharset(contentType, headers['content-type']);
    headers['content-length'] = String(Buffer.byteLength(body));
  } else if (!isEmpty) delete headers['content-type'];
  response.writeHead(statusCode, headers);
  if (isEmpty || statusCode === 204) response.end();
  else response.end(body);
}

/** Writes a stream as Fastify does, and reads none of it for an answer that has no content. */
function flow(body: StreamBody, response: ServerResponse, headers: Headers): void {
  const { statusCode } = response;
  watchFlow(body, response);
  if (statusCode === 204) {
    delete headers['content-type'];
    delete headers['content-length'];
    response.writeHead(statusCode, headers).end();
    body.readable.on('error', () => undefined).resume();
    return;
  }
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (body.bytes !== undefined) response.setHeader('content-length', body.bytes);
  body.readable.pipe(response);
}

/** Fastify says the charset of JSON that is a text. */
function withCharset(contentType: string, made: string | string[]): string | string[] {
  const [type = ''] = contentType.split(';');
  const lacksIt = type.toLowerCase().includes('json') && !/;\s*charset=/i.test(contentType);
  return lacksIt ? `${contentType}; charset=utf-8` : made;
}

function add(headers: Headers, name: string, value: string): void {
  const known = headers[name];
  if (known === undefined || name !== 'set-cookie') headers[name] = value;
  else headers[name] = [...[known].flat(), value];
}

function loweredLines(lines: HeaderLines): HeaderLines {
  const known = lowered.get(lines);
  if (known !== undefined) return known;
  const made = lines.map(([name, value]) => [name.toLowerCase(), value] as const);
  // Lists of single answers would only make work for the garbage collector.
  if (Object.isFrozen(lines)) lowered.set(lines, made);
  return made;
}
