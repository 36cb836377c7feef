import type { HeaderLines } from '../../wire/answer.js';
import type { Preflight, SecurityHeader } from '../security.header.js';

/** Lets pages of one origin call the endpoint (Fetch, CORS protocol). Methods and headers come from the endpoint. */
export class Cors implements SecurityHeader {
  readonly headers: HeaderLines;

  /** @param origin e.g. `https://app.example`, or `*` */
  constructor(readonly origin: string) {
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
