import type { EndpointRequest } from '../../../endpoint/request/endpoint.request.js';
import type { Reply } from '../../../endpoint/reply.js';
import type { VectorColumn } from '../../../model/columns/searched/vector.column.js';
import { distanceOf } from '../../../query/near/distance.value.js';
import { farthest, nearest, type Near } from '../../../query/near/near.plan.js';
import type { NamedPath } from '../../../query/list.columns.js';
import type { ListPlan, PageFacts, SelectedValue, Selection } from '../../../query/query.plan.js';
import { nearColumns } from '../../../request/near/near.search.js';
import type { RecordFilter } from '../../../visibility/record.filter.js';
import type { Pagination } from '../../../wire/pagination.js';
import type { RecordOutput } from '../../record/record.output.js';
import type { SelectableOutput } from '../../record/selectable.output.js';

/** Answers with the records that are nearest to something, each with its distance. Made once per endpoint. */
export class NearAnswers {
  private constructor(
    private readonly outputs: ReadonlyMap<string, SelectableOutput<RecordOutput>>,
    /** The distance as documents tell of it: not every search has it. */
    readonly distance: SelectedValue,
  ) {}

  /**
   * Undefined where no searchable column has vectors.
   *
   * @param make makes the outputs of the endpoint, which show what `adding` gives for what they would show
   * @throws ConfigurationError for a column that is called distance
   */
  static of(
    searchable: ReadonlyMap<string, NamedPath>,
    make: (adding: (shown: Selection) => Selection) => SelectableOutput<RecordOutput>,
  ): NearAnswers | undefined {
    const columns = [...nearColumns(searchable).values()];
    const [first] = columns;
    if (first === undefined) return undefined;
    const outputs = columns.map(({ path }) => {
      const distance = distanceOf(path);
      return [path.text, make((shown) => [...shown, distance])] as const;
    });
    return new NearAnswers(new Map(outputs), distanceOf(first.path));
  }

  async page(request: EndpointRequest, filter: RecordFilter, plan: ListPlan, near: Near): Promise<Reply> {
    const outputs = this.outputs.get(near.path.text);
    if (outputs === undefined) throw new TypeError(`'${near.path.text}' has no vectors`);
    const body = request.jsonObject() ?? new Map<string, unknown>();
    const { output } = outputs.taken(request.queryParameters, body, false);
    const vector = near.vector ?? (await embedded(request, near));
    return output.page(request, filter, nearest(plan, near, vector), { pagination });
  }
}

/** Makes the vector of a text. Nothing was asked of the database yet, so that no transaction waits for it. */
async function embedded(
  request: EndpointRequest,
  { path, type, text = '' }: Near,
): Promise<readonly number[]> {
  const vector: unknown = await type.embed?.(text, request.context());
  const complaint = (type satisfies VectorColumn).complaint(vector);
  if (complaint === undefined) return vector as readonly number[];
  throw new TypeError(`embed of '${path.text}' gave what is no vector of the column: ${complaint}`);
}

/** Tells the next page. Nobody counts, and a page behind the last possible one is none. */
function pagination({ limit, from }: ListPlan, { hasMore }: PageFacts): Pagination {
  const start = 'start' in from ? from.start : 0;
  const next = start + limit;
  const isNext = hasMore && next < farthest.records;
  return { limit, next_page: isNext ? { start: next } : {}, start };
}
