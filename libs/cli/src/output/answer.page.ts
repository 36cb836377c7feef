import type { IncomingMessage } from 'node:http';
import type { DispatchedRequest } from '@nest-endpoints/core/internal';
import type { JsonAnswer } from './answer.printer.js';
import { elementsOf, membersOf, objectOf } from './json.parts.js';

type Keys = Readonly<Record<string, unknown>>;

/** A page of a list, as an answer tells it. */
export interface AnswerPage {
  /** In JSON, as they were sent: a number here may have fewer digits. */
  readonly records: readonly string[];
  /** The number of all records; undefined where the list does not count them. */
  readonly total: number | undefined;
  /** Makes the request for the next page of one for this page; undefined after the last one. */
  readonly next: ((request: DispatchedRequest) => DispatchedRequest) | undefined;
}

/** The page that an answer has; undefined for one that tells nothing of pages. A record in the envelope is a page. */
export function pageOf({ headers }: IncomingMessage, answer: JsonAnswer): AnswerPage | undefined {
  const { envelope } = answer;
  const records = recordsOf(answer);
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

function recordsOf({ text, envelope, data }: JsonAnswer): readonly string[] {
  const within = envelope === undefined ? text : [...membersOf(text)].find(([name]) => isData(name))?.[1];
  const json = within ?? JSON.stringify(data);
  return Array.isArray(data) ? elementsOf(json) : [json];
}

/** True of the member of an envelope that has the data, in whichever casing. */
function isData(name: string): boolean {
  return name.toLowerCase() === 'data';
}

/** Gives the request with the keys of the next page in the place of those it had. */
function withKeys(request: DispatchedRequest, keys: Keys): DispatchedRequest {
  if (request.method !== 'GET') return { ...request, body: withMembers(request.body, keys) };
  const others = request.query.filter(([name]) => !Object.hasOwn(keys, name));
  const added = Object.entries(keys).map(([name, value]) => [name, textOf(value)] as const);
  return { ...request, query: [...others, ...added] };
}

function withMembers(body: string | undefined, keys: Keys): string {
  const members = new Map(membersOf(body ?? '{}'));
  for (const [name, value] of Object.entries(keys)) members.set(name, JSON.stringify(value));
  return objectOf(members);
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
  const members = membersOf(body);
  const others = [...members].filter(([name]) => !named.has(name));
  if (others.length === members.size) return { ...request, query };
  return { ...request, query, body: objectOf(new Map(others)) };
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
