import { BadRequest } from '../wire/refusals.js';

/**
 * The parameters of a query string, form-urlencoded (WHATWG URL), read strictly: percent-encoding is decoded once as
 * UTF-8, and a name may be given once.
 */
export function parseQueryString(text: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decoded(equals === -1 ? pair : pair.slice(0, equals));
    if (parameters.has(name)) throw new BadRequest(`'${name}' is given more than once in the query string`);
    parameters.set(name, equals === -1 ? '' : decoded(pair.slice(equals + 1)));
  }
  return parameters;
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
