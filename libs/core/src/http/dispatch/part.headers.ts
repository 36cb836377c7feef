import type { IncomingHttpHeaders } from 'node:http';
import type { PartRequest } from '../../endpoint/dispatch.js';
import type { EndpointRequest } from '../../endpoint/request/endpoint.request.js';

/** Headers that are about one message or one connection, or say what is to be done with one resource. */
const ofOneMessage: ReadonlySet<string> = new Set([
  'accept-encoding',
  'connection',
  'expect',
  'idempotency-key',
  'keep-alive',
  'prefer',
  'proxy-connection',
  'range',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'x-consistency',
]);

/** The headers of a part: those of the whole request but its own message's, and what the part says itself. */
export function headersOf(
  { headers, requestId }: EndpointRequest,
  part: PartRequest,
): ReadonlyMap<string, string> {
  const body = part.body === undefined ? [] : [['content-type', 'application/json'] as const];
  return new Map([...sharedIn(headers), ['x-request-id', requestId], ...body, ...part.headers]);
}

function* sharedIn(headers: IncomingHttpHeaders): Generator<readonly [string, string]> {
  // HTTP/2 has no Host (RFC 9113, 8.3.1).
  const authority: unknown = headers[':authority'];
  if (typeof authority === 'string') yield ['host', authority];
  for (const [name, value] of Object.entries(headers))
    if (typeof value === 'string' && !isOfOneMessage(name)) yield [name, value];
}

function isOfOneMessage(name: string): boolean {
  return ofOneMessage.has(name) || /^(?::|content-|if-)/.test(name);
}
