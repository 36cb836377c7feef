import type { HeaderLines } from './answer.js';
import type { Pagination } from './pagination.js';
import type { Refusal } from './refusals.js';

/** The facts of a refusal that a format writes. */
export type RefusalFacts = Pick<
  Refusal,
  'statusCode' | 'status' | 'message' | 'inputErrors' | 'hasWholeNames'
> &
  Partial<Pick<Refusal, 'placeSteps'>>;

/** The request for a page, as far as its headers tell of it. */
export interface PageSource {
  /** The path, percent-encoded, without the query string. */
  readonly path: string;
  /** The query string as it came, without the question mark. */
  readonly queryString: string;
}

/**
 * The format of the answers of one endpoint, or of what a group answers itself. Made once, when the application starts. It
 * writes text and nothing else: what it throws for a success is a 500.
 */
export interface AnswerFormat {
  /** The content type of successes. */
  readonly contentType: string;
  /** The content type of refusals. */
  readonly refusalType: string;
  /**
   * Writes the body of a success.
   *
   * @param data the JSON text of a record, a list or another value, its names cased
   * @param page of a paged list; undefined elsewhere
   */
  success(data: string, page?: Pagination): string;
  /** Gives header lines of a page. Left out where pages have none. */
  readonly pageHeaders?: (page: Pagination, request: PageSource) => HeaderLines;
  /** Writes the body of a refusal. It must not throw. */
  refusal(facts: RefusalFacts): string;
}
