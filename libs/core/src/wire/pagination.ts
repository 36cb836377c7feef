/** A paged answer's pagination object, its names as the contract has them. */
export interface Pagination {
  /** The total of matching records; left out when the endpoint does not count. */
  readonly number_results?: number;
  /** The page size used. */
  readonly limit: number;
  /** The parameters that fetch the next page; none on the last page. */
  readonly next_page: Readonly<Record<string, string | number>>;
  /** The number of records before the page, where it was asked for by their number. No part of the envelope. */
  readonly start?: number | undefined;
}
