import { checkArguments } from '../../options/checked.arguments.js';
import { check } from '../../options/checks.js';
import type { HeaderLines } from '../../wire/answer.js';
import type { Preflight, SecurityHeader } from '../security.header.js';

/** Browsers compare it to the letter: a path, a second origin or a slash at the end would let nobody in. */
const allowedOrigin = check(
  'one origin, e.g. https://app.example, or *',
  (value) => typeof value === 'string' && (value === '*' || value === 'null' || isOrigin(value)),
);

/** Lets pages of one origin call the endpoint (Fetch, CORS protocol). Methods and headers come from the endpoint. */
export class Cors implements SecurityHeader {
  readonly headers: HeaderLines;

  /** @param origin e.g. `https://app.example`, or `*` */
  constructor(readonly origin: string) {
    checkArguments('Cors', { origin: [origin, allowedOrigin] });
    this.headers = [['ACCESS-CONTROL-ALLOW-ORIGIN', origin]];
  }

  exposingHeaders(names: readonly string[]): HeaderLines {
    return [['ACCESS-CONTROL-EXPOSE-HEADERS', names.join(', ')]];
  }

  preflightHeaders({ methods, requestHeaders }: Preflight): HeaderLines {
    const allowed: HeaderLines =
      requestHeaders.length === 0 ? [] : [['ACCESS-CONTROL-ALLOW-HEADERS', requestHeaders.join(', ')]];
    return [
      ['ACCESS-CONTROL-ALLOW-METHODS', methods.join(', ')],
      ...allowed,
      ['ACCESS-CONTROL-MAX-AGE', '5'],
    ];
  }
}

function isOrigin(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\/[^/?#\s,*@]+$/.test(text);
}
