import type { EndpointRequest } from '../endpoint/endpoint.request.js';
import { numberFrom, type PageControl, type Paging } from '../query/paging.js';
import type { RecordQuery } from '../records/adjusted.query.js';
import type { Pagination } from '../wire/envelope.writer.js';
import type { NameTable } from '../wire/name.table.js';

/** A page of what a query of the user's finds. */
export interface FoundPage {
  readonly records: readonly object[];
  readonly pagination: Pagination;
}

/** Pages queries of the user's by `limit` and `start` of the query string, as lists are. Made once per endpoint. */
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
    const limit = this.paging.limit(control('limit') ?? { name: 'limit', value: undefined });
    const asked = control('start');
    const from = this.paging.from(asked === undefined ? {} : { start: asked }, { path, sorts: [] });
    const start = 'start' in from ? from.start : 0;
    const found = await query
      .clone()
      .limit(limit + 1, start)
      .getResultList();
    const records = found.slice(0, limit);
    const hasMore = found.length > limit;
    const isTold = !hasMore && (records.length > 0 || start === 0);
    const total = isTold ? start + records.length : await query.clone().getCount();
    const nextPage = hasMore ? { next_page: { start: start + limit } } : { next_page: {} };
    return { records, pagination: { number_results: total, limit, ...nextPage } };
  }
}
