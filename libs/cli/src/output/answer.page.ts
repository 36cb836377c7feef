import type { IncomingMessage } from 'node:http';
import type { DispatchedRequest } from '@nest-endpoints/core/internal';
import type { JsonAnswer } from './answer.printer.js';

type Keys = Readonly<Record<string, unknown>>;

/** A page of a list, as an answer tells it. */
export interface AnswerPage {
  readonly records: readonly unknown[];
  /** The number of all records; undefined where the list does not count them. */
  readonly total: number | undefined;
  /** Makes the request for the next page of one for this page; undefined after the last one. */
  readonly next: ((request: DispatchedRequest) => DispatchedRequest) | undefined;
}

/** The page that an answer has; undefined for one that tells nothing of pages. A record in the envelope is a page. */
export function pageOf({ headers }: IncomingMessage, { envelope, data }: JsonAnswer): AnswerPage | undefined {
  const records: readonly unknown[] = Array.isArray(data) ? data : [data];
  if (envelope !== undefined) {
    const { nextPage, numberOfResults: total } = envelope;
    return { records, total, next: nextPage && ((request) => withKeys(request, nextPage)) };
  }
  const { link, 'x-total-count': count } = headers;
  const links = linksIn([link ?? []].flat().join(', '));
  if (!links.has('first') && !links.has('next') && count === undefined) return undefined;
  const next = links.get('next');
  return {
    records,
    total: typeof count === 'string' && /^\d+$/.test(count) ? Number(count) : undefined,
    next: next === undefined ? undefined : (request) => linked(request, next),
  };
}

/** Gives the request with the keys of the next page in the place of those it had. */
function withKeys(request: DispatchedRequest, keys: Keys): DispatchedRequest {
  if (request.method !== 'GET') return { ...request, body: withMembers(request.body, keys) };
  const others = request.query.filter(([name]) => !Object.hasOwn(keys, name));
  const added = Object.entries(keys).map(([name, value]) => [name, textOf(value)] as const);
  return { ...request, query: [...others, ...added] };
}

function withMembers(body: string | undefined, keys: Keys): string {
  const members: unknown = body === undefined ? {} : JSON.parse(body);
  return JSON.stringify({ ...Object(members), ...keys });
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Gives the request with the query string of a link. What that names, the body must not. */
function linked(request: DispatchedRequest, target: string): DispatchedRequest {
  const query = [...new URL(target, 'http://localhost').searchParams];
  const { body } = request;
  if (body === undefined) return { ...request, query };
  const named = new Set(query.map(([name]) => name));
  const members = Object.entries(Object(JSON.parse(body)) as Keys);
  const others = members.filter(([name]) => !named.has(name));
  // The text stays as it is where it can, so that no number in it changes.
  if (others.length === members.length) return { ...request, query };
  return { ...request, query, body: JSON.stringify(Object.fromEntries(others)) };
}

/** The targets of a `Link` header by their relations (RFC 8288, 3). */
function linksIn(header: string): ReadonlyMap<string, string> {
  const links = new Map<string, string>();
  for (const [, target = '', parameters = ''] of header.matchAll(/<([^>]*)>([^<]*)/g)) {
    const [, quoted, plain = ''] = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,]+))/i.exec(parameters) ?? [];
    for (const relation of (quoted ?? plain).toLowerCase().split(/\s+/)) links.set(relation, target);
  }
  return links;
}
