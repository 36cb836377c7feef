import type { PageSource } from './answer.format.js';
import type { Pagination } from './pagination.js';

/** Cases a word of the contract as clients of an endpoint write it. */
type Word = (name: string) => string;

/** The words that say which page is asked for. `limit` is not among them: a client keeps to it. */
const pageWords = ['start', 'after'] as const;

/**
 * The longest query string, in characters, that stands in a header three times. Clients and proxies take few thousands of
 * characters of headers; the link that leads on is there whatever its length.
 */
const longQuery = 1000;

/** Characters that a reference in a header must not have (RFC 3986, 3.4). An escape keeps its percent sign. */
const unsafe = /[^\w.~!$'()*+,;:@/?%=-]/gu;

/** Writes where the pages around a page are (RFC 8288). Made once per endpoint. */
export class PageLinks {
  readonly #word: Word;
  /** The words in both their spellings: the contract's own stay accepted. */
  readonly #known: ReadonlySet<string>;

  constructor(word: Word) {
    this.#word = word;
    this.#known = new Set(pageWords.flatMap((name) => [name, word(name)]));
  }

  /**
   * Gives the value of `Link` for a page: the first one, the one before where that is known, and the next. Everything
   * else that the client asked for stays in the query string.
   */
  of({ limit, next_page: next, start = 0 }: Pagination, { path, queryString }: PageSource): string {
    const replaced = Object.keys(next).map((name) => this.#word(name));
    const kept = this.#kept(queryString, replaced);
    const link = (page: Pagination['next_page'], relation: string): string => {
      const query = [...kept, ...Object.entries(page).map(([name, value]) => this.#pair(name, value))];
      return `<${path}${query.length === 0 ? '' : '?'}${query.join('&')}>; rel="${relation}"`;
    };
    const links = replaced.length === 0 ? [] : [link(next, 'next')];
    if (queryString.length <= longQuery) {
      if (start > 0) links.unshift(link({ start: Math.max(0, start - limit) }, 'prev'));
      links.unshift(link({}, 'first'));
    }
    return links.join(', ');
  }

  #pair(name: string, value: string | number): string {
    return `${encodeURIComponent(this.#word(name))}=${encodeURIComponent(value)}`;
  }

  /** The parameters as they came, without those that say which page it is. */
  #kept(queryString: string, replaced: readonly string[]): readonly string[] {
    const pairs = queryString.split('&').filter((pair) => {
      const name = nameOf(pair);
      return name !== '' && !this.#known.has(name) && !replaced.includes(name);
    });
    return pairs.map((pair) => pair.replaceAll(unsafe, encodeURIComponent));
  }
}

/** The name of a parameter. The query string as a whole is well-formed, as every endpoint demands. */
function nameOf(pair: string): string {
  return decodeURIComponent((pair.split('=', 1)[0] ?? '').replaceAll('+', ' '));
}
