import type { Compilation } from '../endpoint/compilation.js';
import { Endpoint, type Handler } from '../endpoint/endpoint.js';
import type { ReadableOptions } from '../endpoint/endpoint.options.js';
import type { ColumnPathOf } from '../model/column.name.js';
import { ListParameters, type ListOptions as SortingAndPaging } from '../query/list.parameters.js';
import { recordOutput } from '../stages/record.output.js';

/** Parameters of List; the searches have them too. */
export interface ListOptions<E extends object> extends ReadableOptions<E>, SortingAndPaging {
  /** The columns a client may sort by, relation paths included. */
  readonly sortableColumnNames: readonly ColumnPathOf<NoInfer<E>>[];
  /** Not used by List itself; the searches filter by them. */
  readonly searchableColumnNames?: readonly ColumnPathOf<NoInfer<E>>[];
  /** The order when the client asks for none. */
  readonly defaultSortColumnName: ColumnPathOf<NoInfer<E>>;
}

/** What List and the searches share: parameters are read into a plan, the plan is read as a page. */
export abstract class Listing<E extends object, Options extends ListOptions<E>> extends Endpoint<Options> {
  override readonly requiredOptions: readonly string[] = [
    'modelClass',
    'readableColumnNames',
    'sortableColumnNames',
    'defaultSortColumnName',
  ];
  override readonly readsBody = true;
  /** Whether parameters beside the controls are search terms. */
  protected abstract readonly searches: boolean;

  override readonly repliesPlainly = this.options.outputMap !== undefined;

  override compile(compilation: Compilation): Handler {
    const { owner, names, database, paging } = compilation;
    const listed: Readonly<ListOptions<E>> = this.options;
    const model = compilation.model(listed);
    const options = { ...paging, ...listed };
    const parameters = new ListParameters(owner, model, names, options, this.searches);
    const output = recordOutput(compilation, model, listed);

    return async (request) => {
      const plan = parameters.plan(request.queryParameters, request.jsonObject() ?? new Map());
      return output.page(database.fork(), request, plan, parameters.paging);
    };
  }
}
