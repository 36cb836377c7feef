import type { ColumnPath } from '../../model/model.js';
import { searchText, searchTextComplaint } from '../../model/columns/searched/search.text.js';
import { VectorColumn } from '../../model/columns/searched/vector.column.js';
import type { JsonSchema } from '../../model/json.schema.js';
import { farthest, type Near } from '../../query/near/near.plan.js';
import type { NamedPath } from '../../query/list.columns.js';
import type { PageControl, PageControls } from '../../query/paging.js';
import type { PlanSource } from '../../query/plan.source.js';
import type { ListPlan } from '../../query/query.plan.js';
import { BadRequest } from '../../wire/refusals.js';
import { EntryShape, SearchEntry } from '../search.entry.js';

interface NearColumn extends NamedPath {
  readonly type: VectorColumn;
}

/** The controls that a search near to something may not have, or not as large, as they came. */
interface Beside {
  readonly sort: PageControl | undefined;
  readonly limit: PageControl | undefined;
  readonly page: PageControls;
}

/** Lists the columns with vectors that can be searched near to something; a path over several records is none. */
export function nearColumns(searchable: ReadonlyMap<string, NamedPath>): ReadonlyMap<string, NearColumn> {
  const columns = new Map<string, NearColumn>();
  for (const [name, { path }] of searchable) {
    const { type } = path.column;
    const isOne = path.relations.every((relation) => !relation.isToMany);
    if (type instanceof VectorColumn && isOne) columns.set(name, { name, path, type });
  }
  return columns;
}

/** Reads the member `near` of a search body. Made once per endpoint. */
export class NearSearch {
  readonly #shape: EntryShape;

  private constructor(
    private readonly source: PlanSource,
    private readonly columns: ReadonlyMap<string, NearColumn>,
  ) {
    const { names } = source;
    const text = this.#embeds ? (['text'] as const) : [];
    this.#shape = new EntryShape(names, ['column', 'value', ...text, 'maximum_distance'], ['column']);
  }

  /** Undefined where no searchable column has vectors. */
  static of(source: PlanSource): NearSearch | undefined {
    const columns = nearColumns(source.columns.searchable);
    return columns.size === 0 ? undefined : new NearSearch(source, columns);
  }

  /** @throws BadRequest */
  read({ name, value: sent }: PageControl, beside: Beside): Near {
    const entry = new SearchEntry(name, sent, this.#shape);
    const column = entry.column(this.columns);
    const { path, type } = this.#of(column);
    refuseBeside(name, beside);
    const hasText = entry.has('text');
    if (entry.has('value') === hasText)
      throw entry.refusal(`give ${this.#embeds ? 'one of value, text' : 'a value'}`);
    const maximum = entry.given('maximum_distance');
    if (maximum !== undefined && !(typeof maximum === 'number' && Number.isFinite(maximum)))
      throw entry.refusal(`${entry.nameOf('maximum_distance')} should be a finite number`);
    const known = { path, type, maximum };
    return hasText
      ? { ...known, text: textOf(entry, type), vector: undefined }
      : { ...known, text: undefined, vector: vectorOf(entry, type) };
  }

  /** The page of a plan, which reaches no farther than an index is good for. @throws BadRequest */
  page(plan: ListPlan, { limit: sent }: Beside): Pick<ListPlan, 'limit' | 'from'> {
    const { names } = this.source;
    const start = 'start' in plan.from ? plan.from.start : 0;
    const limit = sent === undefined ? Math.min(plan.limit, farthest.limit) : plan.limit;
    if (limit > farthest.limit)
      throw new BadRequest(
        `'${sent?.name ?? 'limit'}' must be between 1 and ${farthest.limit} beside '${names.control('near')}'`,
      );
    if (start + limit > farthest.records)
      throw new BadRequest(
        `'${names.control('start')}' and '${names.control('limit')}' must not reach beyond ${farthest.records} records beside '${names.control('near')}'`,
      );
    return { limit, from: { start } };
  }

  /** Describes what clients may send, for generated documentation. */
  get schema(): JsonSchema {
    const { names } = this.source;
    const [column, value, text, maximum] = [
      names.control('column'),
      names.control('value'),
      names.control('text'),
      names.control('maximum_distance'),
    ];
    const entry = (one: NearColumn, member: string, schema: JsonSchema): JsonSchema => ({
      type: 'object',
      properties: {
        [column]: { type: 'string', enum: [one.name] },
        [member]: schema,
        [maximum]: { type: 'number' },
      },
      required: [column, member],
      additionalProperties: false,
    });
    const entries = [...this.columns.values()].flatMap((one) => [
      entry(one, value, one.type.schema),
      ...(one.type.embed === undefined ? [] : [entry(one, text, searchText)]),
    ]);
    const [only, ...others] = entries;
    return only !== undefined && others.length === 0 ? only : { anyOf: entries };
  }

  get #embeds(): boolean {
    return [...this.columns.values()].some(({ type }) => type.embed !== undefined);
  }

  #of(path: ColumnPath): NearColumn {
    const found = [...this.columns.values()].find((one) => one.path === path);
    if (found === undefined) throw new TypeError(`'${path.text}' has no vectors`);
    return found;
  }
}

function refuseBeside(name: string, { sort, page: { after } }: Beside): void {
  const other = sort ?? after;
  if (other !== undefined) throw new BadRequest(`'${other.name}' and '${name}' cannot be given together`);
}

function textOf(entry: SearchEntry, type: VectorColumn): string {
  const value = entry.given('text');
  const complaint =
    type.embed === undefined
      ? 'is not possible for this column'
      : searchTextComplaint(value)?.slice('value '.length);
  if (complaint !== undefined) throw entry.refusal(`${entry.nameOf('text')} ${complaint}`);
  return String(value);
}

function vectorOf(entry: SearchEntry, type: VectorColumn): readonly number[] {
  const { value } = entry;
  const complaint = type.complaint(value);
  if (complaint !== undefined) throw entry.refusal(complaint);
  return value as readonly number[];
}
