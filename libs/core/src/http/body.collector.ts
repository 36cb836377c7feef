import type { IncomingMessage } from 'node:http';
import type { RawBody } from '../input/raw.body.js';

/** How much of a body is read. */
export interface BodyLimits {
  readonly bytes: number;
  /** Levels of nested values. */
  readonly depth: number;
}

/**
 * Collects a request's body without judging it: bodies are judged after the guards, alike on every platform. A body
 * above the limit is read to its end and dropped, so that the client hears the answer. A client that goes away in
 * the middle leaves nobody to answer; `done` is not called then.
 */
export function collectBody(
  request: IncomingMessage,
  { bytes: limit, depth }: BodyLimits,
  done: (body: RawBody) => void,
): void {
  const {
    'content-length': length,
    'transfer-encoding': encoding,
    'content-type': contentType,
    'content-encoding': contentEncoding,
  } = request.headers;
  if (encoding === undefined && (length === undefined || Number(length) === 0)) {
    done({ kind: 'none' });
    return;
  }
  if (request.readableEnded) {
    done(alreadyRead(request, contentType, depth));
    return;
  }
  // The events of a socket come without the request's asynchronous context, which a promise keeps.
  const collected = new Promise<RawBody>((resolve) => {
    readBody(request, limit, Number(length ?? 1024), (bytes) => {
      if (bytes === undefined) resolve({ kind: 'tooLarge', limit });
      else if (bytes.length === 0) resolve({ kind: 'none' });
      else resolve({ kind: 'bytes', bytes, depth, contentType, contentEncoding });
    });
  });
  void collected.then(done);
}

/** Reads to the end; undefined is more than the limit. @param expected in bytes, as the client says */
function readBody(
  request: IncomingMessage,
  limit: number,
  expected: number,
  done: (bytes: Buffer | undefined) => void,
): void {
  let bytes: Buffer = Buffer.allocUnsafe(Math.min(expected, limit));
  let size = 0;
  request.on('data', (chunk: Buffer) => {
    const start = size;
    size += chunk.length;
    if (size > limit) bytes = empty;
    else {
      if (size > bytes.length) bytes = grown(bytes, start, Math.min(Math.max(size, 2 * bytes.length), limit));
      chunk.copy(bytes, start);
    }
  });
  request.on('end', () => {
    done(size > limit ? undefined : bytes.subarray(0, size));
  });
}

const empty = Buffer.alloc(0);

/** One buffer that doubles, because a list of chunks costs a hundred bytes for each, however short it is. */
function grown(bytes: Buffer, used: number, size: number): Buffer {
  const larger = Buffer.allocUnsafe(size);
  bytes.copy(larger, 0, 0, used);
  return larger;
}

/** A host that reads bodies before Nest does (a parser of its own, a function platform) leaves them here. */
function alreadyRead(request: IncomingMessage, contentType: string | undefined, depth: number): RawBody {
  const body: unknown = Reflect.get(request, 'rawBody') ?? Reflect.get(request, 'body');
  if (body === undefined) return { kind: 'none' };
  const bytes = Buffer.isBuffer(body)
    ? body
    : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  return { kind: 'bytes', bytes, depth, contentType };
}
