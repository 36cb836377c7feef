import type { Answer, AnswerPage } from './answer.js';
import { conflictSentence, EndpointsError, foreignSentence, movedSentence } from './endpoints.error.js';
import { hasNames, isObject, memberLike, lettersOf } from './names.js';

/** The members of the standard envelope. */
const envelope = ['status', 'error', 'data', 'pagination', 'input_errors'] as const;

/** The most messages that stand in the sentence of an error. */
const mostTold = 3;

/** Reads an answer, in the envelope or plain. @throws EndpointsError for a refusal, and for an answer of somebody else */
export async function readAnswer(response: Response): Promise<Answer> {
  const text = await response.text();
  const body = parsed(text);
  if (isMoved(response)) throw new EndpointsError(movedSentence, response.status, new Map(), body);
  if (response.ok && body === text && text !== '' && isForeign(response))
    throw new EndpointsError(foreignSentence, response.status, new Map(), body);
  const isEnveloped = isObject(body) && hasNames(Object.keys(body), envelope);
  const status = isEnveloped ? lettersOf(String(memberLike(body, 'status'))) : undefined;
  if (!response.ok || (status !== undefined && status !== 'success')) throw refusalOf(response, body);
  const entityTag = response.headers.get('ETag') ?? undefined;
  if (!isEnveloped) return { data: body, page: linkedPage(response, body), entityTag };
  return { data: memberLike(body, 'data'), page: pageOf(memberLike(body, 'pagination')), entityTag };
}

/**
 * True for a page, as the login of a proxy is, and for JSON that is none: the service has not said that anything was done. Text of other
 * types may be what an endpoint of the user's own answers.
 */
function isForeign({ headers }: Response): boolean {
  const [type = ''] = (headers.get('Content-Type') ?? '').toLowerCase().split(';');
  return /^(?:text\/html|application\/(?:xhtml\+xml|json|.+\+json))$/.test(type.trim());
}

/** True for a redirect that was not followed. Browsers show nothing of it, not even its status code. */
function isMoved({ status, type, headers }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400 && headers.has('Location'));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // What stands between us and the service may answer with a page of its own.
    return text;
  }
}

function pageOf(pagination: unknown): AnswerPage | undefined {
  if (!isObject(pagination) || Object.keys(pagination).length === 0) return undefined;
  const total = memberLike(pagination, 'number_results');
  const next = memberLike(pagination, 'next_page');
  return {
    total: typeof total === 'number' ? total : undefined,
    next: isObject(next) && Object.keys(next).length > 0 ? next : undefined,
  };
}

/** Plain answers tell the next page by a link (RFC 8288), and the total in a header. */
function linkedPage({ headers }: Response, body: unknown): AnswerPage | undefined {
  if (!Array.isArray(body)) return undefined;
  const total = headers.get('X-Total-Count');
  const [, target] = /<([^>]*)>\s*;[^,]*\brel="?next"?/.exec(headers.get('Link') ?? '') ?? [];
  return {
    total: total === null ? undefined : Number(total),
    next: target === undefined ? undefined : pageWords(new URLSearchParams(target.split('?')[1])),
  };
}

/** The words that say where the next page begins: the client has the rest of what a link says. */
function pageWords(parameters: URLSearchParams): Readonly<Record<string, unknown>> {
  const words = [...parameters].filter(([name]) => ['start', 'after'].includes(name.toLowerCase()));
  return Object.fromEntries(
    words.map(([name, value]) => [name, lettersOf(name) === 'start' ? Number(value) : value]),
  );
}

function refusalOf({ status, statusText }: Response, body: unknown): EndpointsError {
  const inputErrors = inputErrorsIn(body);
  const told = [memberLike(body, 'error'), memberLike(body, 'detail'), memberLike(body, 'title'), statusText];
  const sentence = told.find((one): one is string => typeof one === 'string' && one !== '');
  const message = sentenceOf(inputErrors) ?? sentence ?? `HTTP ${String(status)}`;
  return new EndpointsError(status === 412 ? conflictSentence : message, status, inputErrors, body);
}

/** The sentence of an error with the first messages about its input; undefined without any. */
export function sentenceOf(inputErrors: ReadonlyMap<string, string>): string | undefined {
  const messages = [...inputErrors].slice(0, mostTold).map(([place, text]) => `${place}: ${text}`);
  return messages.length === 0 ? undefined : messages.join('; ');
}

/** The messages by name. Where answers are plain, they stand by JSON pointer: `/address/street` is `address.street`. */
function inputErrorsIn(body: unknown): ReadonlyMap<string, string> {
  const messages = memberLike(body, 'input_errors') ?? memberLike(body, 'errors');
  if (!isObject(messages)) return new Map();
  return new Map(Object.entries(messages).map(([place, text]) => [placeOf(place), String(text)]));
}

function placeOf(name: string): string {
  if (!name.startsWith('/')) return name;
  const steps = name.slice(1).split('/');
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~')).join('.');
}
