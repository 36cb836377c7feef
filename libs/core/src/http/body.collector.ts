import type { IncomingMessage } from 'node:http';
import type { RawBody } from '../input/raw-body.js';

/**
 * Collects a request's body without judging it: bodies are judged after the guards, alike on every platform. A body
 * above the limit is read to its end and dropped, so that the client hears the answer. A client that goes away in
 * the middle leaves nobody to answer; `done` is not called then.
 *
 * @param limit in bytes
 */
export function collectBody(request: IncomingMessage, limit: number, done: (body: RawBody) => void): void {
  const {
    'content-length': length,
    'transfer-encoding': encoding,
    'content-type': contentType,
  } = request.headers;
  if (encoding === undefined && (length === undefined || Number(length) === 0)) {
    done({ kind: 'none' });
    return;
  }
  let chunks: Buffer[] = [];
  let size = 0;
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= limit) chunks.push(chunk);
    else chunks = [];
  });
  request.on('end', () => {
    if (size > limit) done({ kind: 'tooLarge', limit });
    else if (size === 0) done({ kind: 'none' });
    else done({ kind: 'bytes', bytes: Buffer.concat(chunks, size), contentType });
  });
}
