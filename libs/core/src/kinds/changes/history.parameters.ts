import type { PagingDescription } from '../../endpoint/description/operation.description.js';
import type { KindContext } from '../../endpoint/kind.context.js';
import type { EndpointRequest } from '../../endpoint/request/endpoint.request.js';
import type { Column } from '../../model/column.js';
import type { JsonSchema } from '../../model/json.schema.js';
import type { Model } from '../../model/model.js';
import { softEntityOf } from '../../model/soft/soft.entity.js';
import { numberFrom, type Paging } from '../../query/paging.js';
import type { ListPlan } from '../../query/query.plan.js';
import type { Pagination } from '../../wire/pagination.js';
import { BadRequest } from '../../wire/refusals.js';

const operations = ['created', 'updated', 'deleted', 'restored'] as const;

/** The changes that a request asks for. */
export interface AskedHistory {
  readonly names: readonly string[];
  readonly operation: string | undefined;
  readonly behind: string | undefined;
  readonly limit: number;
  readonly path: string;
  /** True if some changes are asked for, and not all. */
  readonly isNarrow: boolean;
}

/** Reads the parameters of a History: which changes, and which page. */
export class HistoryParameters {
  readonly #paging: Paging;
  readonly #word: (word: string) => string;
  /** The names of properties by the names of columns that clients use. */
  readonly #columns: ReadonlyMap<string, string>;
  /** The mark: that a record was deleted or restored is told where no column is asked for. */
  readonly #mark: readonly string[];

  constructor(
    context: KindContext,
    model: Model,
    columns: readonly Column[],
    options:
      { readonly limit?: number; readonly maximumLimit?: number; readonly requestMethods?: never } | object,
  ) {
    const { limit = 20, maximumLimit = 200 } = options as {
      readonly limit?: number;
      readonly maximumLimit?: number;
    };
    const paging = { pagination: 'keyset', defaultLimit: limit, maximumLimit, count: 'none' } as const;
    this.#paging = context.paging(model, paging);
    this.#word = (word) => context.names.control(word);
    const mark = softEntityOf(model.meta);
    this.#mark = mark === undefined ? [] : [mark.property.name];
    this.#columns = new Map(
      columns.map(({ name, property }) => [context.names.outward(name), property.name]),
    );
  }

  /** The schemas of the parameters. */
  get schemas(): Readonly<Record<string, JsonSchema>> {
    const { wordSchemas, limitSchema } = this.#paging;
    return {
      [this.#word('limit')]: limitSchema,
      [this.#word('after')]: wordSchemas.after ?? {},
      [this.#word('column')]: { type: 'string', enum: [...this.#columns.keys()] },
      [this.#word('operation')]: { type: 'string', enum: [...operations] },
    };
  }

  get paging(): PagingDescription {
    return { counts: false, next: { word: 'after', schema: this.#paging.wordSchemas.after ?? {} } };
  }

  /** @throws BadRequest for a parameter that is unknown, or out of range */
  read({ queryParameters, path }: EndpointRequest): AskedHistory {
    const known = new Map(
      ['limit', 'after', 'column', 'operation'].flatMap((word) =>
        [word, this.#word(word)].map((name) => [name, word] as const),
      ),
    );
    const given = new Map<string, { readonly name: string; readonly value: string }>();
    for (const [name, value] of queryParameters) {
      const word = known.get(name);
      if (word === undefined) throw new BadRequest(`Unknown parameter '${name}' in the query string`);
      if (given.has(word)) throw new BadRequest(`'${name}' is given more than once in the query string`);
      given.set(word, { name, value });
    }
    const limit = given.get('limit');
    const after = given.get('after');
    const from = after && this.#paging.from({ after }, { path, sorts: [] });
    const behind = from !== undefined && 'after' in from ? String(from.after[0]) : undefined;
    return {
      names: this.#named(given.get('column')),
      operation: this.#operation(given.get('operation')),
      behind,
      limit: this.#paging.limit({ name: limit?.name ?? 'limit', value: limit && numberFrom(limit.value) }),
      path,
      isNarrow: given.has('column') || given.has('operation'),
    };
  }

  /** @param last the id of the last change of the page, where there are more behind it */
  pagination({ limit, path }: AskedHistory, last: string | undefined): Pagination {
    const plan: ListPlan = {
      requestPath: path,
      sorts: [],
      limit,
      from: { after: [] },
      conditions: [],
      groupBy: undefined,
      readsCursor: true,
      count: 'none',
    };
    const facts = {
      hasMore: last !== undefined,
      last: last === undefined ? undefined : [last],
      total: undefined,
    };
    return this.#paging.pagination(plan, facts);
  }

  #named(column: { readonly name: string; readonly value: string } | undefined): readonly string[] {
    if (column === undefined) return [...this.#columns.values(), ...this.#mark];
    const name = this.#columns.get(column.value);
    if (name !== undefined) return [name];
    throw new BadRequest(`'${column.name}' must be one of: ${[...this.#columns.keys()].join(', ')}`);
  }

  #operation(operation: { readonly name: string; readonly value: string } | undefined): string | undefined {
    if (operation === undefined || operations.some((one) => one === operation.value)) return operation?.value;
    throw new BadRequest(`'${operation.name}' must be one of: ${operations.join(', ')}`);
  }
}
