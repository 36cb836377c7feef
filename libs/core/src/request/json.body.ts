import { BadRequest, ContentTooLarge, UnsupportedMediaType } from '../wire/refusals.js';
import type { RawBody } from './raw.body.js';

/** The JSON value of a body; undefined when there is none. @throws BadRequest, ContentTooLarge, UnsupportedMediaType */
function jsonBody(body: RawBody): unknown {
  if (body.kind === 'none') return undefined;
  if (body.kind === 'stream') throw new TypeError('A body that comes as a stream is no JSON value');
  if (body.kind === 'tooLarge') throw new ContentTooLarge(body.limit);
  const mismatch = mediaMismatch(body.contentType ?? 'application/json', body.contentEncoding ?? 'identity');
  if (mismatch !== undefined) throw new UnsupportedMediaType(mismatch);
  const value = parsed(body.bytes);
  if (isDeeperThan(value, body.depth))
    throw new BadRequest(`The request body must not be nested deeper than ${body.depth} levels`);
  return value;
}

/** The decoder of bodies. It keeps nothing from one body to the next, and takes long to make. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(bytes)) as unknown;
  } catch (cause) {
    throw new BadRequest('The request body is not valid JSON', { cause });
  }
}

/**
 * True if the value is nested deeper. Serialisers and databases walk nested values with a stack, so not all that parses
 * can be written.
 */
export function isDeeperThan(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (depth === 0) return true;
  for (const member of Object.values(value as Readonly<Record<string, unknown>>))
    if (typeof member === 'object' && isDeeperThan(member, depth - 1)) return true;
  return false;
}

/** The members of a body that must be a JSON object; undefined when there is no body. */
export function jsonObject(body: RawBody): ReadonlyMap<string, unknown> | undefined {
  const value = jsonBody(body);
  if (value === undefined) return undefined;
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new BadRequest('The request body must be a JSON object');
  return new Map(Object.entries(value));
}

/** {@link jsonObject} where a body is required. */
export function requiredJsonObject(body: RawBody): ReadonlyMap<string, unknown> {
  const members = jsonObject(body);
  if (members === undefined) throw new BadRequest('A JSON body is required');
  return members;
}

/** Gives what is wrong with a body's media type: it must be JSON (RFC 6839, 3.1: `+json` too), in UTF-8, not compressed. */
function mediaMismatch(contentType: string, contentEncoding: string): string | undefined {
  if (contentType === 'application/json' && contentEncoding === 'identity') return undefined;
  const [mediaType = '', ...parameters] = contentType.split(';').map((part) => part.trim().toLowerCase());
  if (mediaType !== 'application/json' && !/^[^/\s]+\/[^/\s]+\+json$/.test(mediaType))
    return 'The content type of the request body must be application/json';
  const charset = parameters.find((parameter) => parameter.startsWith('charset='));
  if (charset !== undefined && !/^charset="?utf-?8"?$/.test(charset))
    return 'The charset of the request body must be UTF-8';
  return contentEncoding.toLowerCase() === 'identity'
    ? undefined
    : 'The request body must not have a content encoding';
}
