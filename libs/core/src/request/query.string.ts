import { BadRequest } from '../wire/refusals.js';

/**
 * The parameters of a query string, form-urlencoded (WHATWG URL), read strictly: percent-encoding is decoded once as
 * UTF-8, and a name may be given once.
 */
export function parseQueryString(text: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  for (const [name, value] of pairsOf(text)) {
    if (parameters.has(name)) throw new BadRequest(`'${name}' is given more than once in the query string`);
    parameters.set(name, value);
  }
  return parameters;
}

/** All values of each parameter, in their order. */
export function parseQueryLists(text: string): ReadonlyMap<string, readonly string[]> {
  const parameters = new Map<string, string[]>();
  for (const [name, value] of pairsOf(text)) {
    const values = parameters.get(name);
    if (values === undefined) parameters.set(name, [value]);
    else values.push(value);
  }
  return parameters;
}

function* pairsOf(text: string): Generator<readonly [name: string, value: string]> {
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    if (equals === -1) yield [decoded(pair), ''];
    else yield [decoded(pair.slice(0, equals)), decoded(pair.slice(equals + 1))];
  }
}

/** @throws BadRequest for a malformed escape, which nobody may ignore (decisions: Routing and headers) */
export function checkEscapes(text: string): void {
  if (text.includes('%')) decoded(text);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch (cause) {
    throw new BadRequest('The query string is not valid percent-encoded UTF-8', { cause });
  }
}
