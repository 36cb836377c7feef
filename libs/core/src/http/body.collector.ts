import type { IncomingMessage } from 'node:http';
import { isReset } from './exchange.js';
import type { BodyBytes, RawBody } from '../request/raw.body.js';
import { jsonAsRead } from '../wire/json.text.js';
import { ReceivedBytes } from './received.bytes.js';

/** The limits of a body that is read. */
export interface BodyLimits {
  readonly bytes: number;
  /** Levels of nested values. */
  readonly depth: number;
  /** The content type of one that has none; undefined where it is JSON. */
  readonly untyped?: string | undefined;
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
 * The body of a request that is here as a whole, read at once; undefined where nobody knows that it is. Nobody else must have begun
 * to read it.
 */
export function wholeBody(request: IncomingMessage, limits: BodyLimits): RawBody | undefined {
  if (isReset(request)) return undefined;
  // Without a byte it has ended by itself. What somebody else has read meanwhile is theirs to leave.
  if (request.readableEnded) return bodyReadBefore(request, limits);
  // HTTP/2 says so of a request that was given up, too.
  if (!request.complete || request.httpVersionMajor !== 1) return undefined;
  const bytes = request.readableLength === 0 ? null : (request.read() as Buffer | null);
  if (bytes === null) return undefined;
  return bytes.length > limits.bytes
    ? { kind: 'tooLarge', limit: limits.bytes }
    : bodyOf(request, bytes, limits);
}

/**
 * Collects a request's body without judging it: bodies are judged after the guards, alike on every platform. A body above
 * the limit is not read further.
 *
 * @returns what stops it
 */
export function collectBody(
  request: IncomingMessage,
  limits: BodyLimits,
  listener: BodyListener,
): () => void {
  const { bytes: limit } = limits;
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
    if (isReset(request)) return;
    // An idle connection may keep its last request, and that whoever listens to it.
    request.off('data', take).off('end', end);
    const all = bytes.handOver();
    listener.collected(all.length === 0 ? { kind: 'none' } : bodyOf(request, all, limits));
  };
  const stop = (): void => {
    request.off('data', take).off('end', end).pause();
    bytes.drop();
  };
  request.on('data', take).on('end', end).resume();
  return stop;
}

/** Whole body of a request. It lives as long as the request, so that it is of a class (`SentStatement`). */
class WholeBody implements BodyBytes {
  readonly kind = 'bytes';

  constructor(
    readonly bytes: Buffer,
    readonly depth: number,
    readonly contentType: string | undefined,
    readonly contentEncoding?: string,
  ) {}
}

function bodyOf({ headers }: IncomingMessage, bytes: Buffer, { depth, untyped }: BodyLimits): RawBody {
  const { 'content-type': contentType = untyped, 'content-encoding': contentEncoding } = headers;
  return new WholeBody(bytes, depth, contentType, contentEncoding);
}

/** True if the length that a client announces is above the limit, so that nothing needs to be read to know. */
export function isAnnouncedTooLarge({ headers }: IncomingMessage, limit: number): boolean {
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) > limit;
}

/** A host that reads bodies before Nest does (a parser of its own, a function platform) leaves them here. */
export function bodyReadBefore(request: IncomingMessage, { depth, untyped }: BodyLimits): RawBody {
  const body: unknown = Reflect.get(request, 'rawBody') ?? Reflect.get(request, 'body');
  if (body === undefined) return { kind: 'none' };
  const bytes = Buffer.isBuffer(body)
    ? body
    : Buffer.from(typeof body === 'string' ? body : jsonAsRead(body));
  return new WholeBody(bytes, depth, request.headers['content-type'] ?? untyped);
}
