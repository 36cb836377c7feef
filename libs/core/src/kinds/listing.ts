import type { Compilation } from '../endpoint/compilation.js';
import { Endpoint, type Handler } from '../endpoint/endpoint.js';
import type { FilterOptions, ReadableOptions } from '../endpoint/endpoint.options.js';
import type { ColumnPathOf } from '../model/column.name.js';
import type { Model } from '../model/model.js';
import type { Operator } from '../model/operator.js';
import { ListColumns, type ListColumnOptions } from '../query/list.columns.js';
import type { FixedPlan, PlanRequest, PlanSource } from '../query/list.parameters.js';
import type { PagingOptions } from '../query/paging.js';
import type { ListPlan } from '../query/query.plan.js';
import { sortable, visible } from '../query/selection.js';
import type { ColumnUse } from '../records/index.advice.js';
import { ConfigurationError } from '../wire/configuration.error.js';
import { recordOutput } from '../stages/record.output.js';

/** Parameters of List; the searches have them too. */
export interface ListOptions<E extends object>
  extends ReadableOptions<E>, FilterOptions<E>, ListColumnOptions, PagingOptions {
  /** The columns a client may sort by, relation paths included. */
  readonly sortableColumnNames: readonly ColumnPathOf<NoInfer<E>>[];
  /** Not used by List itself; the searches filter by them. */
  readonly searchableColumnNames?: readonly ColumnPathOf<NoInfer<E>>[];
  /** The order when the client asks for none. */
  readonly defaultSortColumnName: ColumnPathOf<NoInfer<E>>;
  /** Shows one record for each distinct value of this column: the first in the order asked for. */
  readonly groupByColumnName?: ColumnPathOf<NoInfer<E>>;
}

/** Reads what a request asks for. @throws BadRequest or InvalidInput */
export interface PlanReader {
  plan(request: PlanRequest): ListPlan;
}

/** The options without which no list can be compiled. */
export const requiredByLists = [
  'modelClass',
  'readableColumnNames',
  'sortableColumnNames',
  'defaultSortColumnName',
] as const;

/** What List and the searches share: parameters are read into a plan, the plan is read as a page. */
export abstract class Listing<E extends object, Options extends ListOptions<E>> extends Endpoint<Options> {
  override readonly requiredOptions: readonly string[] = requiredByLists;
  override readonly readsBody = true;

  override readonly repliesPlainly = this.options.outputMap !== undefined;

  /** How this kind reads its parameters. */
  protected abstract planReader(source: PlanSource, compilation: Compilation): PlanReader;

  /** An operator that every searchable column must know; undefined for any one. */
  protected readonly neededOperator: Operator | undefined = undefined;

  override compile(compilation: Compilation): Handler {
    const listed: Readonly<ListOptions<E>> = this.options;
    const model = compilation.model(listed);
    const filter = compilation.filter(model, listed);
    const paging = compilation.paging(model, { ...compilation.root, ...listed });
    const fixed = { conditions: filter.conditions, groupBy: groupBy(compilation, model, listed) };
    refuseWithoutSql(compilation, model, {
      pagination: paging.readsCursor,
      groupByColumnName: fixed.groupBy,
    });
    const { owner, names } = compilation;
    const columns = new ListColumns(owner, model, names, listed, this.neededOperator);
    compilation.columnUses.push(...usesOf(model, columns));
    const forcesText = listed.transformInputTypes ?? false;
    const reader = this.planReader({ owner, names, columns, paging, fixed, forcesText }, compilation);
    const output = recordOutput(compilation, model, listed);

    return async (request) => {
      const { path, queryParameters: query } = request;
      const plan = reader.plan({ path, query, body: request.jsonObject() ?? new Map() });
      return output.page(request, filter, plan, paging);
    };
  }
}

function groupBy(
  { owner }: Compilation,
  model: Model,
  { groupByColumnName: name }: { readonly groupByColumnName?: string },
): FixedPlan['groupBy'] {
  if (name === undefined) return undefined;
  return sortable(owner, visible(owner, model, name, 'groupByColumnName'), 'groupByColumnName');
}

/** A backend of the user's own reads pages by their number, and groups nothing. */
function refuseWithoutSql(
  compilation: Compilation,
  model: Model,
  options: Readonly<Record<string, unknown>>,
): void {
  if (compilation.store(model).knowsSql) return;
  const [used] = Object.entries(options).find(([, value]) => value !== undefined && value !== false) ?? [];
  if (used !== undefined)
    throw new ConfigurationError(compilation.owner, used, 'a backend of your own cannot do this');
}

function* usesOf(model: Model, { sortable, searchable, defaultSort }: ListColumns): Generator<ColumnUse> {
  yield { model, path: defaultSort, use: 'sorted' };
  for (const { path } of sortable.values()) yield { model, path, use: 'sorted' };
  for (const { path } of searchable.values()) yield { model, path, use: 'searched' };
}
