import { ConfigurationError } from '../wire/configuration.error.js';
import type { NameTable } from '../wire/name.table.js';
import { BadRequest } from '../wire/refusals.js';
import type { Operator } from '../model/operator.js';
import { conditionOf, takesNoValue, valueComplaint } from './condition.js';
import { directionFrom, type NamedPath } from './list.columns.js';
import type { PlanSource } from './list.parameters.js';
import type { PageControl, PageControls, PageWord } from './paging.js';
import type { Condition, Direction, ListPlan, Sort } from './query.plan.js';

/** How much one search may ask for. */
export interface SearchLimits {
  /** The most values an `in` may list. Default 1,000. */
  readonly maximumInValues?: number;
  /** The most conditions a search may have. Default 100. */
  readonly maximumConditions?: number;
}

const mostSorts = 2;

type BodyWord = 'sort' | 'limit' | 'where' | PageWord;
type EntryWord = 'column' | 'operator' | 'value' | 'direction';

/** An entry of `sort` or `where`: its members by our words. */
type Entry = ReadonlyMap<EntryWord, unknown>;

/** Reads the JSON body of an AdvancedSearch into a {@link ListPlan} (contract: AdvancedSearch). Made once per endpoint. */
export class SearchBody {
  readonly #words: ReadonlyMap<string, BodyWord>;
  readonly #sortWords: ReadonlyMap<string, EntryWord>;
  readonly #whereWords: ReadonlyMap<string, EntryWord>;
  readonly #mostValues: number;
  readonly #mostConditions: number;

  constructor(
    private readonly source: PlanSource,
    limits: SearchLimits,
  ) {
    const { owner, names, paging } = source;
    this.#words = spellings(names, ['sort', 'limit', 'where', ...paging.words]);
    this.#sortWords = spellings(names, ['column', 'direction']);
    this.#whereWords = spellings(names, ['column', 'operator', 'value']);
    this.#mostValues = limitOf(owner, 'maximumInValues', limits.maximumInValues ?? 1000);
    this.#mostConditions = limitOf(owner, 'maximumConditions', limits.maximumConditions ?? 100);
  }

  /** @throws BadRequest with a sentence that names the part, an entry by its number */
  plan(query: ReadonlyMap<string, string>, body: ReadonlyMap<string, unknown>): ListPlan {
    const [parameter] = query.keys();
    if (parameter !== undefined)
      throw new BadRequest(
        `Unknown parameter '${parameter}' in the query string: this search takes a JSON body`,
      );
    const parts = new Map<BodyWord, PageControl>();
    for (const [name, value] of body) {
      const word = this.#words.get(name);
      if (word === undefined) throw new BadRequest(`Unknown parameter '${name}' in the body`);
      if (parts.has(word)) throw new BadRequest(`'${name}' is given more than once in the body`);
      parts.set(word, { name, value });
    }
    const { paging, fixed } = this.source;
    const sorts = this.#sorts(parts.get('sort'));
    return {
      sorts,
      limit: paging.limit(parts.get('limit') ?? { name: 'limit', value: undefined }),
      from: paging.from(pageControls(parts), sorts),
      conditions: [...fixed.conditions, ...this.#conditions(parts.get('where'))],
      groupBy: fixed.groupBy,
      readsCursor: paging.readsCursor,
      count: paging.count,
    };
  }

  #sorts(part: PageControl | undefined): Sort[] {
    const { defaultSort, defaultDirection } = this.source.columns;
    const entries = part === undefined ? [] : entriesOf(part, mostSorts, 'sorts');
    if (part === undefined || entries.length === 0)
      return [{ path: defaultSort, direction: defaultDirection }];
    return entries.map((sent, index) => {
      const label = `${part.name} ${index + 1}`;
      const entry = entryOf(label, sent, this.#sortWords, ['column', 'direction']);
      const { path } = chosen(label, entry, this.source.columns.sortable);
      return { path, direction: direction(label, entry.get('direction')) };
    });
  }

  #conditions(part: PageControl | undefined): Condition[] {
    if (part === undefined) return [];
    return entriesOf(part, this.#mostConditions, 'conditions').map((sent, index) => {
      const label = `${part.name} ${index + 1}`;
      const entry = entryOf(label, sent, this.#whereWords, ['column', 'operator']);
      const { path } = chosen(label, entry, this.source.columns.searchable);
      const operator = operatorOf(label, entry.get('operator'), path.column.type.operators);
      return conditionOf(path, operator, this.#value(label, entry, path, operator));
    });
  }

  #value(label: string, entry: Entry, path: NamedPath['path'], operator: Operator): unknown {
    const sent = entry.get('value');
    if (takesNoValue(operator)) {
      if (sent === undefined || sent === null) return null;
      throw new BadRequest(`${label}: '${operator}' takes no value`);
    }
    if (sent === undefined) throw new BadRequest(`${label}: value is missing`);
    if (Array.isArray(sent) && sent.length > this.#mostValues)
      throw new BadRequest(`${label}: value must not have more than ${this.#mostValues} entries`);
    const value = this.#read(path, operator, sent);
    const complaint = valueComplaint(path, operator, value);
    if (complaint !== undefined) throw new BadRequest(`${label}: ${complaint}`);
    return value;
  }

  #read({ column: { type } }: NamedPath['path'], operator: Operator, sent: unknown): unknown {
    if (!this.source.forcesText || !type.forcesText || operator === 'like') return sent;
    const read = (one: unknown): unknown => (typeof one === 'string' ? type.fromText(one) : one);
    return Array.isArray(sent) ? sent.map(read) : read(sent);
  }
}

/** The contract's words and those of the endpoint's casing. */
function spellings<W extends string>(names: NameTable, words: readonly W[]): Map<string, W> {
  return new Map(words.flatMap((word) => [word, names.control(word)].map((name) => [name, word])));
}

function entriesOf({ name, value }: PageControl, most: number, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new BadRequest(`'${name}' must be a list`);
  if (value.length > most) throw new BadRequest(`'${name}' must not have more than ${most} ${what}`);
  return value;
}

function entryOf(
  label: string,
  sent: unknown,
  words: ReadonlyMap<string, EntryWord>,
  needed: readonly EntryWord[],
): Entry {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent))
    throw new BadRequest(`${label} must be an object with ${[...new Set(words.values())].join(', ')}`);
  const entry = new Map<EntryWord, unknown>();
  for (const [name, value] of Object.entries(sent)) {
    const word = words.get(name);
    if (word === undefined)
      throw new BadRequest(
        `${label}: '${name}' is unknown; allowed: ${[...new Set(words.values())].join(', ')}`,
      );
    if (entry.has(word)) throw new BadRequest(`${label}: ${name} is given more than once`);
    entry.set(word, value);
  }
  const missing = needed.find((word) => !entry.has(word));
  if (missing !== undefined) throw new BadRequest(`${label}: ${missing} is missing`);
  return entry;
}

function chosen(label: string, entry: Entry, columns: ReadonlyMap<string, NamedPath>): NamedPath {
  const name = entry.get('column');
  const column = typeof name === 'string' ? columns.get(name) : undefined;
  if (column !== undefined) return column;
  throw new BadRequest(`${label}: column must be one of: ${[...columns.keys()].join(', ')}`);
}

function direction(label: string, value: unknown): Direction {
  const found = directionFrom(value);
  if (found !== undefined) return found;
  throw new BadRequest(`${label}: direction must be asc or desc`);
}

function operatorOf(label: string, value: unknown, allowed: readonly Operator[]): Operator {
  const word = typeof value === 'string' ? value.toLowerCase() : undefined;
  const operator = allowed.find((known) => known === word);
  if (operator !== undefined) return operator;
  throw new BadRequest(`${label}: operator must be one of: ${allowed.join(', ')}`);
}

function pageControls(parts: ReadonlyMap<BodyWord, PageControl>): PageControls {
  const start = parts.get('start');
  const after = parts.get('after');
  return { ...(start === undefined ? {} : { start }), ...(after === undefined ? {} : { after }) };
}

function limitOf(owner: string, option: string, value: number): number {
  if (Number.isSafeInteger(value) && value >= 1) return value;
  throw new ConfigurationError(owner, option, `${value} is not a whole number from 1`);
}
