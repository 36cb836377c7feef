import type { JsonSchema } from '../model/json.schema.js';
import { ConfigurationError, oneOf } from '../wire/configuration.error.js';
import type { Pagination } from '../wire/pagination.js';
import { BadRequest } from '../wire/refusals.js';
import type { CountMode, ListPlan, PageFacts, PageStart, Sort } from './query.plan.js';

/** The paging of lists, for an endpoint or for the whole application. */
export interface PagingOptions {
  /** The page size when the client asks for none. Default 50. */
  readonly defaultLimit?: number;
  /** The largest page size a client may ask for. Default 200; 0 lifts the limit. */
  readonly maximumLimit?: number;
  /**
   * The contents of `next_page`. `offset` (default) counts records with `start`. `keyset` goes on behind the last record
   * with `after`, at the same cost however deep, and without repeats or gaps while records are inserted.
   */
  readonly pagination?: 'offset' | 'keyset';
  /**
   * The source of `number_results`. `exact` (default) counts, unless the page tells; `estimated` asks PostgreSQL's
   * planner, and counts on other databases; `none` leaves it out.
   */
  readonly count?: CountMode;
}

const pagingDefaults = { defaultLimit: 50, maximumLimit: 200 } as const;
export const countModes = ['exact', 'estimated', 'none'] as const satisfies readonly CountMode[];

/** The controls that say which page is asked for, as they came: undefined was not sent. */
export interface PageControl {
  /** The name as the client wrote it. */
  readonly name: string;
  /** A JSON value, or the number that text of the query string says. */
  readonly value: unknown;
}

/** The words that name a page, beside `limit`. */
export type PageWord = 'start' | 'after';
export type PageControls = Readonly<Partial<Record<PageWord, PageControl>>>;

/** The list that a cursor is for: the place where it was asked for, and its order. */
export interface ListUse {
  readonly path: string;
  readonly sorts: readonly Sort[];
}

/** Reads which page is asked for, and says what comes after it (contract: Pagination object). */
export abstract class Paging {
  readonly count: CountMode;
  readonly #defaultLimit: number;
  readonly #maximumLimit: number;

  /** The paging keys that clients may send. */
  abstract readonly words: readonly PageWord[];

  /** True if the last record's sort values are wanted. */
  abstract readonly readsCursor: boolean;

  constructor(owner: string, { defaultLimit, maximumLimit, count = 'exact' }: PagingOptions) {
    const most = wholeNumber(owner, 'maximumLimit', maximumLimit ?? pagingDefaults.maximumLimit, 0);
    const largest = most === 0 ? Number.MAX_SAFE_INTEGER : most;
    const customary = Math.min(pagingDefaults.defaultLimit, largest);
    this.#maximumLimit = most;
    this.#defaultLimit = wholeNumber(owner, 'defaultLimit', defaultLimit ?? customary, 1);
    if (this.#defaultLimit > largest)
      throw new ConfigurationError(
        owner,
        'defaultLimit',
        `${this.#defaultLimit} is above maximumLimit, which is ${most}`,
      );
    if (!countModes.includes(count))
      throw new ConfigurationError(owner, 'count', `'${count}' is unknown; ${oneOf(countModes)}`);
    this.count = count;
  }

  get limitSchema(): JsonSchema {
    const maximum = this.#maximumLimit === 0 ? Number.MAX_SAFE_INTEGER : this.#maximumLimit;
    return { type: 'integer', minimum: 1, maximum, default: this.#defaultLimit };
  }

  /** The schemas of the {@link words}, as clients send them and as they stand in `next_page`. */
  abstract readonly wordSchemas: Readonly<Partial<Record<PageWord, JsonSchema>>>;

  /** The word that `next_page` holds. */
  abstract readonly nextWord: PageWord;

  /** @param own the limit of a query of the user's: its page size, and the largest one that a client may ask for */
  limit({ name, value }: PageControl, own?: number): number {
    if (value === undefined) return own ?? this.#defaultLimit;
    const maximum = own ?? this.#maximumLimit;
    const largest = maximum === 0 ? Number.MAX_SAFE_INTEGER : maximum;
    if (isWholeNumber(value) && value >= 1 && value <= largest) return value;
    throw new BadRequest(
      `'${name}' must be ${maximum === 0 ? 'a whole number from 1' : `between 1 and ${maximum}`}`,
    );
  }

  /** True if a limit is the one of who sends none: most ask for it, again and again. */
  isOwn(limit: number): boolean {
    return limit === this.#defaultLimit;
  }

  /** @throws BadRequest for a control that names no page */
  abstract from(controls: PageControls, list: ListUse): PageStart;

  pagination(plan: ListPlan, { total, hasMore, last }: PageFacts): Pagination {
    return {
      ...(total === undefined ? {} : { number_results: total }),
      limit: plan.limit,
      next_page: hasMore ? this.nextPage(plan, last) : {},
      start: 'start' in plan.from ? plan.from.start : undefined,
    };
  }

  protected abstract nextPage(plan: ListPlan, last: PageFacts['last']): Pagination['next_page'];

  protected start({ name, value }: PageControl): number {
    if (isWholeNumber(value) && value >= 0) return value;
    throw new BadRequest(`'${name}' must be a whole number from 0`);
  }
}

export const startSchema: JsonSchema = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER };

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
