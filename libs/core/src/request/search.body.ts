import { bestFirst, isRanked } from '../model/column.js';
import { BadRequest } from '../wire/refusals.js';
import { EntryShape, SearchEntry, spellings } from './search.entry.js';
import { pageWordsOf, type ControlsDescription } from './list.controls.js';
import type { PlanRequest } from './list.parameters.js';
import type { PlanSource } from '../query/plan.source.js';
import { rankedSorts } from '../query/ranked.sorts.js';
import { WhereConditions, type SearchLimits } from './where.conditions.js';
import { NearSearch } from './near/near.search.js';
import type { SearchPlan } from '../query/near/near.plan.js';
import { searchControls } from './search.controls.js';
import { numberFrom, type PageControl, type PageControls, type PageWord } from '../query/paging.js';
import type { Criterion, ListPlan, Sort } from '../query/query.plan.js';

const mostSorts = 2;

type BodyWord = 'sort' | 'limit' | 'where' | 'near' | PageWord;

/** Reads the JSON body of an AdvancedSearch into a {@link ListPlan} (contract: AdvancedSearch). Made once per endpoint. */
export class SearchBody {
  readonly #words: ReadonlyMap<string, BodyWord>;
  readonly #sortShape: EntryShape;
  readonly #where: WhereConditions;
  /** Undefined where no column has vectors. */
  readonly #near: NearSearch | undefined;

  /** @param pagesByQuery true to read the words for pages from the query string, too, as links to pages have them */
  constructor(
    private readonly source: PlanSource,
    limits: SearchLimits,
    private readonly pagesByQuery = false,
  ) {
    const { names, paging } = source;
    this.#near = NearSearch.of(source);
    const near = this.#near === undefined ? [] : (['near'] as const);
    this.#words = spellings(names, ['sort', 'limit', 'where', ...near, ...paging.words]);
    this.#sortShape = new EntryShape(names, ['column', 'direction'], ['column']);
    this.#where = new WhereConditions(source, limits);
  }

  /** @throws BadRequest with a sentence that names the part, an entry by its number */
  plan({ query, body, path }: PlanRequest): SearchPlan {
    const parts = this.#linked(query);
    const linked = [...parts.keys()];
    for (const [name, value] of body) {
      const word = this.#words.get(name);
      if (word === undefined) throw new BadRequest(`Unknown parameter '${name}' in the body`);
      if (linked.includes(word))
        throw new BadRequest(`'${name}' is given in both the body and the query string`);
      if (parts.has(word)) throw new BadRequest(`'${name}' is given more than once in the body`);
      parts.set(word, { name, value });
    }
    const { paging, fixed } = this.source;
    const where = (): readonly Criterion[] => this.#conditions(parts.get('where'));
    const sorts = rankedSorts(this.#sorts(parts.get('sort')), where, this.source.names);
    const near = this.#nearTo(parts);
    const limit = paging.limit(parts.get('limit') ?? { name: 'limit', value: undefined });
    const plan: ListPlan = {
      requestPath: path,
      sorts,
      limit,
      isOwnLimit: paging.isOwn(limit),
      from: paging.from(pageControls(parts), { path, sorts }),
      conditions: [...fixed.conditions, ...where()],
      groupBy: fixed.groupBy,
      readsCursor: paging.readsCursor,
      count: paging.count,
    };
    return near === undefined ? plan : near(plan);
  }

  /** Makes a plan one of a search near to something, where that is asked for. */
  #nearTo(parts: ReadonlyMap<BodyWord, PageControl>): ((plan: ListPlan) => SearchPlan) | undefined {
    const part = parts.get('near');
    const near = this.#near;
    if (part === undefined || near === undefined) return undefined;
    const beside = { sort: parts.get('sort'), limit: parts.get('limit'), page: pageControls(parts) };
    const read = near.read(part, beside);
    return (plan) => ({ ...plan, ...near.page(plan, beside), near: read });
  }

  /** Describes what a client may send, for generated documentation. */
  describe(): ControlsDescription {
    const { mostConditions: conditions, mostValues: values } = this.#where;
    const limits = { sorts: mostSorts, conditions, values };
    const controls = withNear(searchControls(this.source, limits), this.source, this.#near);
    return this.pagesByQuery ? { ...controls, query: pageWordsOf(this.source) } : controls;
  }

  /** Reads what a link to a page has in its query string. */
  #linked(query: ReadonlyMap<string, string>): Map<BodyWord, PageControl> {
    const parts = new Map<BodyWord, PageControl>();
    for (const [name, text] of query) {
      const word = this.#words.get(name);
      if (!this.pagesByQuery || word === undefined || !isPageWord(word))
        throw new BadRequest(
          `Unknown parameter '${name}' in the query string: this search takes a JSON body`,
        );
      if (parts.has(word)) throw new BadRequest(`'${name}' is given more than once in the query string`);
      parts.set(word, { name, value: word === 'start' ? numberFrom(text) : text });
    }
    return parts;
  }

  #sorts(part: PageControl | undefined): Sort[] {
    const { defaultSort, defaultDirection } = this.source.columns;
    const entries = part === undefined ? [] : entriesOf(part, mostSorts, 'sorts');
    if (part === undefined || entries.length === 0)
      return [{ path: defaultSort, direction: defaultDirection }];
    return entries.map((sent, index) => {
      const entry = new SearchEntry(`${part.name} ${index + 1}`, sent, this.#sortShape);
      const path = entry.column(this.source.columns.sortable);
      const isBest = isRanked(path.column) && !entry.has('direction');
      return { path, direction: isBest ? bestFirst(path.column) : entry.direction() };
    });
  }

  #conditions(part: PageControl | undefined): readonly Criterion[] {
    if (part === undefined) return [];
    const { mostConditions } = this.#where;
    return this.#where.read(part.name, entriesOf(part, mostConditions, 'conditions'));
  }
}

function withNear(
  controls: ControlsDescription,
  { names }: PlanSource,
  near: NearSearch | undefined,
): ControlsDescription {
  if (near === undefined) return controls;
  return { ...controls, body: { ...controls.body, [names.control('near')]: near.schema } };
}

function entriesOf({ name, value }: PageControl, most: number, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new BadRequest(`'${name}' must be a list`);
  if (value.length > most) throw new BadRequest(`'${name}' must not have more than ${most} ${what}`);
  return value;
}

function isPageWord(word: BodyWord): word is PageWord {
  return word === 'start' || word === 'after';
}

function pageControls(parts: ReadonlyMap<BodyWord, PageControl>): PageControls {
  const start = parts.get('start');
  const after = parts.get('after');
  return { ...(start === undefined ? {} : { start }), ...(after === undefined ? {} : { after }) };
}
