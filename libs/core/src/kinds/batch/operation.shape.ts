import { httpMethods, isSafe, type HttpMethod } from '../../endpoint/http.method.js';
import { BadRequest } from '../../wire/refusals.js';

/** Headers that an operation may have of its own. All others are those of the batch. */
export const ownHeaders = ['if-match', 'if-none-match', 'prefer'] as const;

const known: ReadonlySet<string> = new Set(ownHeaders);

/** Characters of a header value (RFC 9110, 5.5). */
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Characters of a request target that Node sends (RFC 9112, 3.2.1); a fragment never leaves its client. */
export const targetPattern = String.raw`/[\x21\x22\x24-\x7e]*`;

const target = new RegExp(`^${targetPattern}$`);

export function methodOf(place: string, sent: unknown): HttpMethod {
  const method = httpMethods.find((one) => one === sent);
  if (method === undefined) throw new BadRequest(`${place} must be one of: ${httpMethods.join(', ')}`);
  return method;
}

export function targetOf(place: string, sent: unknown): string {
  if (typeof sent === 'string' && target.test(sent)) return sent;
  throw new BadRequest(`${place} must be a path that begins with a slash, percent-encoded`);
}

/** Reads the headers of an operation. One that asks for a 304 is left out: there is none in a batch. */
export function headersOf(place: string, sent: unknown, method: HttpMethod): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  if (sent === undefined) return headers;
  for (const [name, value] of Object.entries(objectOf(place, sent))) {
    const key = name.toLowerCase();
    if (!known.has(key))
      throw new BadRequest(`${place}: '${name}' is not allowed; allowed: ${ownHeaders.join(', ')}`);
    if (headers.has(key)) throw new BadRequest(`${place}: '${name}' is given more than once`);
    if (typeof value !== 'string' || !headerValue.test(value))
      throw new BadRequest(`${place}.${name} must be the text of a header`);
    headers.set(key, value);
  }
  if (isSafe(method)) headers.delete('if-none-match');
  return headers;
}

export function objectOf(place: string, sent: unknown): Readonly<Record<string, unknown>> {
  if (typeof sent === 'object' && sent !== null && !Array.isArray(sent))
    return sent as Readonly<Record<string, unknown>>;
  throw new BadRequest(`${place} must be an object`);
}
