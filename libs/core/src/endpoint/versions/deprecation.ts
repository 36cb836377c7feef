import type { HeaderLine, HeaderLines } from '../../wire/answer.js';
import type { DeprecationOptions, DeprecationTarget, LinkedEndpoint } from './deprecation.options.js';

/** Gives the path of an endpoint or a group of the application, once it is known. */
export type PathOf = (target: LinkedEndpoint) => string;

/** The deprecation of an endpoint: what its answers say of it, and when it is gone. Made once per endpoint. */
export class Deprecation {
  /** The time from which it may stop answering, in milliseconds since 1970; undefined where nobody knows. */
  readonly #sunset: number | undefined;
  /** True if it answers 410 from then on. */
  readonly endsAtSunset: boolean;
  readonly #lines: HeaderLines;

  constructor(readonly options: DeprecationOptions) {
    const { since, sunset, afterSunset } = options;
    this.#sunset = sunset === undefined ? undefined : Date.parse(sunset);
    this.endsAtSunset = afterSunset === 'gone';
    const dates: HeaderLine[] = [['Deprecation', `@${Math.floor(Date.parse(since) / 1000)}`]];
    if (this.#sunset !== undefined) dates.push(['Sunset', new Date(this.#sunset).toUTCString()]);
    this.#lines = dates;
  }

  /** True if a link leads to an endpoint of the application, whose path is known later. */
  get needsPaths(): boolean {
    const { link, successor } = this.options;
    return typeof link === 'object' || typeof successor === 'object';
  }

  /** The day from which it may stop answering, for documents; undefined where nobody knows. */
  get sunset(): string | undefined {
    return this.#sunset === undefined ? undefined : new Date(this.#sunset).toISOString();
  }

  /** True if it has stopped answering. @param now in milliseconds since 1970 */
  isGone(now: number): boolean {
    return this.endsAtSunset && this.#sunset !== undefined && now >= this.#sunset;
  }

  /** The headers of every answer. @param pathOf undefined while paths are not known: then links that need them are left out */
  headers(pathOf?: PathOf): HeaderLines {
    const { link, successor, sunset } = this.options;
    const urlOf = (target: DeprecationTarget): string | undefined =>
      typeof target === 'string' ? target : pathOf?.(target);
    const page = link === undefined ? undefined : urlOf(link);
    const next = successor === undefined ? undefined : urlOf(successor);
    const links = [
      ...(page === undefined ? [] : [`<${page}>; rel="deprecation"; type="text/html"`]),
      ...(page === undefined || sunset === undefined ? [] : [`<${page}>; rel="sunset"`]),
      ...(next === undefined ? [] : [`<${next}>; rel="successor-version"`]),
    ];
    return links.length === 0 ? this.#lines : [...this.#lines, ['Link', links.join(', ')]];
  }
}
