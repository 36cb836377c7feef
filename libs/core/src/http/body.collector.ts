import type { IncomingMessage } from 'node:http';
import type { RawBody } from '../request/raw.body.js';
import { ReceivedBytes } from './received.bytes.js';

/** The limits of a body that is read. */
export interface BodyLimits {
  readonly bytes: number;
  /** Levels of nested values. */
  readonly depth: number;
}

/**
 * The listener for the end of a body, called once. It is not called for a client that goes away in the middle: then there
 * is nobody to answer.
 */
export interface BodyListener {
  collected(body: RawBody): void;
  /** There is no memory for it. */
  failed(cause: unknown): void;
}

/**
 * Collects a request's body without judging it: bodies are judged after the guards, alike on every platform. A body above
 * the limit is not read further.
 *
 * @returns what stops it
 */
export function collectBody(
  request: IncomingMessage,
  { bytes: limit, depth }: BodyLimits,
  listener: BodyListener,
): () => void {
  const { 'content-type': contentType, 'content-encoding': contentEncoding } = request.headers;
  const bytes = new ReceivedBytes(limit);
  const take = (chunk: Buffer): void => {
    try {
      if (bytes.add(chunk)) return;
    } catch (error) {
      stop();
      listener.failed(error);
      return;
    }
    stop();
    listener.collected({ kind: 'tooLarge', limit });
  };
  const end = (): void => {
    const all = bytes.all;
    listener.collected(
      all.length === 0
        ? { kind: 'none' }
        : { kind: 'bytes', bytes: all, depth, contentType, contentEncoding },
    );
  };
  const stop = (): void => {
    request.off('data', take).off('end', end).pause();
  };
  request.on('data', take).on('end', end);
  return stop;
}

/** True if the length that a client announces is above the limit, so that nothing needs to be read to know. */
export function isAnnouncedTooLarge({ headers }: IncomingMessage, limit: number): boolean {
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) > limit;
}

/** A host that reads bodies before Nest does (a parser of its own, a function platform) leaves them here. */
export function bodyReadBefore(request: IncomingMessage, { depth }: BodyLimits): RawBody {
  const body: unknown = Reflect.get(request, 'rawBody') ?? Reflect.get(request, 'body');
  if (body === undefined) return { kind: 'none' };
  const bytes = Buffer.isBuffer(body)
    ? body
    : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  return { kind: 'bytes', bytes, depth, contentType: request.headers['content-type'] };
}
