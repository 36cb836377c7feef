import type { Compilation } from '../endpoint/compilation.js';
import { Endpoint, type Handler } from '../endpoint/endpoint.js';
import type { ReadableOptions } from '../endpoint/endpoint.options.js';
import type { HttpMethod } from '../endpoint/http.method.js';
import { jsonObject } from '../input/json.body.js';
import type { ColumnPathOf } from '../model/column-name.js';
import { ListParameters, type ListOptions as SortingAndPaging } from '../query/list.parameters.js';

/** Parameters of {@link List}. */
export interface ListOptions<E extends object> extends ReadableOptions<E>, SortingAndPaging {
  /** The columns a client may sort by, relation paths included. */
  readonly sortableColumnNames: readonly ColumnPathOf<NoInfer<E>>[];
  /** Not used by List itself; SimpleSearch and AdvancedSearch filter by them. */
  readonly searchableColumnNames?: readonly ColumnPathOf<NoInfer<E>>[];
  /** The order when the client asks for none. */
  readonly defaultSortColumnName: ColumnPathOf<NoInfer<E>>;
}

/** Returns records, sorted and paged (contract: List). */
export class List<E extends object = object> extends Endpoint<ListOptions<E>> {
  protected override readonly defaultMethods: readonly HttpMethod[] = ['GET'];
  override readonly readsBody: boolean = true;
  /** Whether parameters beside the controls are search terms. */
  protected readonly searches: boolean = false;

  override get repliesPlainly(): boolean {
    return this.options.outputMap !== undefined;
  }

  override compile(compilation: Compilation): Handler {
    const { owner, names, database, paging } = compilation;
    const model = compilation.model(this.options);
    const options = { ...paging, ...this.options };
    const parameters = new ListParameters(owner, model, names, options, this.searches);
    const output = compilation.output(model, this.options);

    return async (request) => {
      const plan = parameters.plan(request.queryParameters, jsonObject(request.body) ?? new Map());
      return output.page(database.fork(), request, plan, parameters.paging);
    };
  }
}
