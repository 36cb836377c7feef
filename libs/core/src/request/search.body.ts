import { ConfigurationError } from '../wire/configuration.error.js';
import { BadRequest } from '../wire/refusals.js';
import type { ColumnPath } from '../model/model.js';
import { operatorsOf } from '../model/column.js';
import { comparisonOf, operators, type Comparison, type Operator } from '../model/operator.js';
import { conditionOf, operandOf, valueComplaint } from '../query/condition.js';
import { searchesIn } from '../query/like.pattern.js';
import { EntryShape, SearchEntry, spellings } from './search.entry.js';
import { pageWordsOf, type ControlsDescription } from './list.controls.js';
import type { PlanRequest } from './list.parameters.js';
import type { PlanSource } from '../query/plan.source.js';
import { searchControls } from './search.controls.js';
import { numberFrom, type PageControl, type PageControls, type PageWord } from '../query/paging.js';
import type { Condition, ListPlan, Sort } from '../query/query.plan.js';

/** Limits of one search. */
export interface SearchLimits {
  /** The most values an `in` may list. Default 1,000. */
  readonly maximumInValues?: number;
  /** The most conditions a search may have. Default 100. */
  readonly maximumConditions?: number;
  /** The most `%` that the patterns of a search may have together; several in a row are one. Default 200. */
  readonly maximumWildcards?: number;
}

const mostSorts = 2;

/** The comparisons with a pattern, which cost the more the more wildcards it has. */
const patternComparisons: readonly Comparison[] = operators
  .filter((operator) => operandOf(operator) === 'pattern')
  .map((operator) => comparisonOf(operator, ''));

type BodyWord = 'sort' | 'limit' | 'where' | PageWord;

/** Reads the JSON body of an AdvancedSearch into a {@link ListPlan} (contract: AdvancedSearch). Made once per endpoint. */
export class SearchBody {
  readonly #words: ReadonlyMap<string, BodyWord>;
  readonly #sortShape: EntryShape;
  readonly #whereShape: EntryShape;
  readonly #mostValues: number;
  readonly #mostConditions: number;
  readonly #mostWildcards: number;

  /** @param pagesByQuery true to read the words for pages from the query string, too, as links to pages have them */
  constructor(
    private readonly source: PlanSource,
    limits: SearchLimits,
    private readonly pagesByQuery = false,
  ) {
    const { owner, names, paging } = source;
    this.#words = spellings(names, ['sort', 'limit', 'where', ...paging.words]);
    this.#sortShape = new EntryShape(names, ['column', 'direction'], ['column', 'direction']);
    this.#whereShape = new EntryShape(names, ['column', 'operator', 'value'], ['column', 'operator']);
    this.#mostValues = limitOf(owner, 'maximumInValues', limits.maximumInValues ?? 1000);
    this.#mostConditions = limitOf(owner, 'maximumConditions', limits.maximumConditions ?? 100);
    this.#mostWildcards = limitOf(owner, 'maximumWildcards', limits.maximumWildcards ?? 200);
  }

  /** @throws BadRequest with a sentence that names the part, an entry by its number */
  plan({ query, body, path }: PlanRequest): ListPlan {
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
    const sorts = this.#sorts(parts.get('sort'));
    return {
      requestPath: path,
      sorts,
      limit: paging.limit(parts.get('limit') ?? { name: 'limit', value: undefined }),
      from: paging.from(pageControls(parts), { path, sorts }),
      conditions: [...fixed.conditions, ...this.#conditions(parts.get('where'))],
      groupBy: fixed.groupBy,
      readsCursor: paging.readsCursor,
      count: paging.count,
    };
  }

  /** Describes what a client may send, for generated documentation. */
  describe(): ControlsDescription {
    const limits = { sorts: mostSorts, conditions: this.#mostConditions, values: this.#mostValues };
    const controls = searchControls(this.source, limits);
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
      return { path: entry.column(this.source.columns.sortable), direction: entry.direction() };
    });
  }

  #conditions(part: PageControl | undefined): Condition[] {
    if (part === undefined) return [];
    const conditions = entriesOf(part, this.#mostConditions, 'conditions').map((sent, index) => {
      const entry = new SearchEntry(`${part.name} ${index + 1}`, sent, this.#whereShape);
      const path = entry.column(this.source.columns.searchable);
      const operator = entry.operator(operatorsOf(path.column));
      return conditionOf(path, operator, this.#value(entry, path, operator));
    });
    if (wildcardsIn(conditions) <= this.#mostWildcards) return conditions;
    throw new BadRequest(`'${part.name}' must not have more than ${this.#mostWildcards} wildcards`);
  }

  #value(entry: SearchEntry, path: ColumnPath, operator: Operator): unknown {
    const { value: sent } = entry;
    // The contract's entry has all three members, whatever the operator takes.
    if (operandOf(operator) === 'none') return null;
    if (sent === undefined) throw entry.missing('value');
    if (Array.isArray(sent) && sent.length > this.#mostValues)
      throw entry.refusal(`${entry.nameOf('value')} must not have more than ${this.#mostValues} entries`);
    const value = this.#read(path, operator, sent);
    const complaint = valueComplaint(path, operator, value);
    if (complaint !== undefined) throw entry.refusal(complaint);
    return value;
  }

  #read({ column: { type } }: ColumnPath, operator: Operator, sent: unknown): unknown {
    if (!this.source.forcesText || !type.forcesText || operandOf(operator) === 'pattern') return sent;
    const read = (one: unknown): unknown => (typeof one === 'string' ? type.fromText(one) : one);
    return Array.isArray(sent) ? sent.map(read) : read(sent);
  }
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

function wildcardsIn(conditions: readonly Condition[]): number {
  let wildcards = 0;
  for (const { comparison, value } of conditions)
    if (patternComparisons.includes(comparison)) wildcards += searchesIn(String(value));
  return wildcards;
}

function limitOf(owner: string, option: string, value: number): number {
  if (Number.isSafeInteger(value) && value >= 1) return value;
  throw new ConfigurationError(owner, option, `${value} is not a whole number from 1`);
}
