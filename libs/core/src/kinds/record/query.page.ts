import type { EndpointRequest } from '../../endpoint/request/endpoint.request.js';
import { numberFrom, type PageControl, type Paging } from '../../query/paging.js';
import { boundsOf, type RecordQuery } from '../../visibility/adjusted.query.js';
import type { Pagination } from '../../wire/pagination.js';
import type { NameTable } from '../../wire/name.table.js';

/** A page of what a query of the user's finds. */
export interface FoundPage {
  readonly records: readonly object[];
  readonly pagination: Pagination;
}

/** A query of which nothing is asked for finds nothing, on one page. */
const nothing: FoundPage = { records: [], pagination: { number_results: 0, limit: 0, next_page: {} } };

/**
 * Pages queries of the user's by `limit` and `start` of the query string, as lists are; MikroORM's default filters hold
 * for them as for every read. Made once per endpoint.
 */
export class QueryPage {
  constructor(
    private readonly paging: Paging,
    private readonly names: NameTable,
  ) {}

  /** @throws BadRequest for a `limit` or `start` that is out of range */
  async of(
    { lastQueryParameters: queryParameters, path }: EndpointRequest,
    query: RecordQuery,
  ): Promise<FoundPage> {
    const control = (word: 'limit' | 'start'): PageControl | undefined => {
      const name = [word, this.names.control(word)].find((name) => queryParameters.has(name));
      return name === undefined ? undefined : { name, value: numberFrom(queryParameters.get(name) ?? '') };
    };
    const own = boundsOf(query);
    if (own.limit === 0) return nothing;
    const limit = this.paging.limit(control('limit') ?? { name: 'limit', value: undefined }, own.limit);
    const asked = control('start');
    const from = this.paging.from(asked === undefined ? {} : { start: asked }, { path, sorts: [] });
    const start = 'start' in from ? from.start : 0;
    const visible = query.clone();
    await visible.applyFilters();
    const found = await visible
      .clone()
      .limit(limit + 1)
      .offset(own.offset + start)
      .getResultList();
    const records = found.slice(0, limit);
    const hasMore = found.length > limit;
    const isTold = !hasMore && (records.length > 0 || start === 0);
    const total = isTold ? start + records.length : await countOf(visible, own.offset);
    const nextPage = hasMore ? { next_page: { start: start + limit } } : { next_page: {} };
    return { records, pagination: { number_results: total, limit, ...nextPage, start } };
  }
}

/** Counts the records behind those that the query itself passes over. */
async function countOf(query: RecordQuery, offset: number): Promise<number> {
  return Math.max(0, (await query.clone().getCount()) - offset);
}
