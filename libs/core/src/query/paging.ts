import { ConfigurationError } from '../wire/configuration.error.js';
import type { Pagination } from '../wire/envelope.writer.js';
import { BadRequest } from '../wire/refusals.js';

export interface PagingOptions {
  /** The page size when the client asks for none. Default 50. */
  readonly defaultLimit?: number;
  /** The largest page size a client may ask for. Default 200; 0 lifts the limit. */
  readonly maximumLimit?: number;
}

const pagingDefaults = { defaultLimit: 50, maximumLimit: 200 } as const;

/** Reads `limit` and `start`, and says what comes after a page (contract: Pagination object). */
export class OffsetPaging {
  readonly defaultLimit: number;
  readonly #maximumLimit: number;

  constructor(owner: string, options: PagingOptions) {
    this.#maximumLimit = wholeNumber(
      owner,
      'maximumLimit',
      options.maximumLimit ?? pagingDefaults.maximumLimit,
      0,
    );
    const largest = this.#maximumLimit === 0 ? Number.MAX_SAFE_INTEGER : this.#maximumLimit;
    this.defaultLimit = wholeNumber(
      owner,
      'defaultLimit',
      options.defaultLimit ?? Math.min(pagingDefaults.defaultLimit, largest),
      1,
    );
    if (this.defaultLimit > largest)
      throw new ConfigurationError(
        owner,
        'defaultLimit',
        `${this.defaultLimit} is above maximumLimit, which is ${this.#maximumLimit}`,
      );
  }

  /** @param name the parameter as the client wrote it @param value a JSON value, or text of the query string read as a number */
  limit(name: string, value: unknown): number {
    if (value === undefined) return this.defaultLimit;
    const largest = this.#maximumLimit === 0 ? Number.MAX_SAFE_INTEGER : this.#maximumLimit;
    if (isWholeNumber(value) && value >= 1 && value <= largest) return value;
    throw new BadRequest(
      `'${name}' must be ${this.#maximumLimit === 0 ? 'a whole number from 1' : `between 1 and ${this.#maximumLimit}`}`,
    );
  }

  start(name: string, value: unknown): number {
    if (value === undefined) return 0;
    if (isWholeNumber(value) && value >= 0) return value;
    throw new BadRequest(`'${name}' must be a whole number from 0`);
  }

  pagination(total: number, limit: number, start: number): Pagination {
    return {
      number_results: total,
      limit,
      next_page: start + limit < total ? { start: start + limit } : {},
    };
  }
}

/** The number that text of a query string says, else the text. */
export function numberFrom(text: string): number | string {
  return /^-?\d{1,16}$/.test(text) && text !== '-0' ? Number(text) : text;
}

function isWholeNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value);
}

function wholeNumber(owner: string, option: string, value: number, least: number): number {
  if (Number.isSafeInteger(value) && value >= least) return value;
  throw new ConfigurationError(owner, option, `${value} is not a whole number from ${least}`);
}
