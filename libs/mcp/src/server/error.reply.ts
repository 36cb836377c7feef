import { RawReply, type HeaderLines } from '@nest-endpoints/core/kinds';

const contentType = 'application/json; charset=UTF-8';

/** An answer of the protocol as it is, outside of the envelope. @param body empty for none */
export function jsonReply(statusCode: number, body: string, headers: HeaderLines = []): RawReply {
  return new RawReply(body, body === '' ? '' : contentType, headers, statusCode);
}

/** An error of JSON-RPC about a request of which no id is known. */
export function errorReply(
  statusCode: number,
  code: number,
  message: string,
  headers: HeaderLines = [],
): RawReply {
  return jsonReply(
    statusCode,
    JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } }),
    headers,
  );
}
