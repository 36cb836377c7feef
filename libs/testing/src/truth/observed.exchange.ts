import type { IncomingMessage, OutgoingHttpHeader, ServerResponse } from 'node:http';
import type { Exchange } from './exchange.js';

/** Watches a request and its answer go by, without reading anything before those who handle them do. */
export function observe(
  request: IncomingMessage,
  response: ServerResponse,
  done: (exchange: Exchange) => void,
): void {
  const { method = 'GET', url: target = '/' } = request;
  const body = watchBody(request);
  const chunks: Buffer[] = [];
  let contentType: string | undefined;
  const { write, end, writeHead } = unbound(response);
  const keep = (chunk: unknown): void => {
    if (typeof chunk === 'string') chunks.push(Buffer.from(chunk));
    else if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
  };
  response.writeHead = function (this: ServerResponse, ...parameters: unknown[]) {
    contentType = typeIn(parameters.at(-1)) ?? contentType;
    return Reflect.apply(writeHead, this, parameters) as ServerResponse;
  };
  response.write = function (this: ServerResponse, ...parameters: unknown[]) {
    keep(parameters[0]);
    return Reflect.apply(write, this, parameters) as boolean;
  } as ServerResponse['write'];
  response.end = function (this: ServerResponse, ...parameters: unknown[]) {
    keep(parameters[0]);
    const ended = Reflect.apply(end, this, parameters) as ServerResponse;
    done({
      method,
      target,
      requestHeaders: request.headers,
      requestType: request.headers['content-type'],
      requestBody: body(),
      status: this.statusCode,
      contentType: contentType ?? asText(this.getHeader('content-type')),
      body: method === 'HEAD' ? '' : taken(chunks),
    });
    return ended;
  } as ServerResponse['end'];
}

/** The methods that are replaced, to be called on whatever object they are called on. */
function unbound(response: ServerResponse): Readonly<Record<'write' | 'end' | 'writeHead', Method>> {
  return response as never;
}

type Method = (...parameters: unknown[]) => unknown;

/** Gives the text of a body once it has ended. */
function watchBody(request: IncomingMessage): () => string | undefined {
  const chunks: Buffer[] = [];
  let isWhole = false;
  const emit = request.emit.bind(request);
  request.emit = ((event: string, ...parameters: unknown[]) => {
    if (event === 'data') chunks.push(Buffer.from(parameters[0] as Uint8Array));
    if (event === 'end') isWhole = true;
    return emit(event, ...parameters);
  }) as typeof request.emit;
  return () => {
    const hasAll = isWhole || chunks.length === 0;
    const text = taken(chunks);
    return hasAll ? text : undefined;
  };
}

/** The text of what came in these, which are kept no longer: an idle connection may keep its last request. */
function taken(chunks: Buffer[]): string {
  return Buffer.concat(chunks.splice(0)).toString();
}

/** Headers that are given with the status line: an object, or a flat list. */
function typeIn(headers: unknown): string | undefined {
  if (typeof headers !== 'object' || headers === null) return undefined;
  const entries: [unknown, unknown][] = Array.isArray(headers)
    ? headers.flatMap((name: unknown, index) =>
        index % 2 === 0 ? [[name, headers[index + 1] as unknown]] : [],
      )
    : Object.entries(headers);
  const found = entries.find(([name]) => String(name).toLowerCase() === 'content-type');
  return found === undefined ? undefined : asText(found[1] as OutgoingHttpHeader);
}

function asText(header: OutgoingHttpHeader | undefined): string | undefined {
  return header === undefined ? undefined : [header].flat().join(', ');
}
