import { isTerm } from '../../model/column.js';
import type { NamedPath } from '../../query/list.columns.js';
import type { PlanSource } from '../../query/plan.source.js';
import { isGroup } from '../../query/criterion.js';
import type { ListPlan } from '../../query/query.plan.js';
import { ConfigurationError } from '../../wire/configuration.error.js';
import { BadRequest } from '../../wire/refusals.js';
import type { ControlsDescription } from '../list.controls.js';
import { ListParameters } from '../list.parameters.js';
import { SearchBody } from '../search.body.js';
import type { SearchLimits } from '../where.conditions.js';
import { spellings } from '../search.entry.js';

/** The parts of a request that ask for groups. */
export interface GroupRequest {
  readonly path: string;
  /** All values of each parameter of the query string. */
  readonly query: ReadonlyMap<string, readonly string[]>;
  /** The members of the body; undefined where the query string asks. */
  readonly body: ReadonlyMap<string, unknown> | undefined;
}

/** A word of the endpoint's own, as it came. */
export interface WordPart {
  /** The name as the client wrote it. */
  readonly name: string;
  /** A JSON value; of the query string a text, or the texts between commas. */
  readonly value: unknown;
}

/** The words that an endpoint reads beside search terms and the page. */
export interface GroupWords<Word extends string> {
  readonly query: readonly Word[];
  readonly body: readonly Word[];
  /** The words that list names, between commas in a query string. */
  readonly lists: readonly Word[];
  /** Words of lists that mean nothing here. */
  readonly refused: readonly string[];
}

/** The words that a request says, and the search beside them. */
export interface GroupAsk<Word extends string> {
  readonly words: ReadonlyMap<Word, WordPart>;
  readonly plan: ListPlan;
}

/** The input of an endpoint that answers with groups. */
export interface GroupControls extends ControlsDescription {
  /** In the query string of a request with a body. */
  readonly besideBody: ControlsDescription['query'];
}

/** Reads the records that groups are made of, as searches do: terms of a query string, or conditions of a body. */
export class GroupSearch<Word extends string> {
  readonly #parameters: ListParameters;
  readonly #body: SearchBody;
  readonly #queryWords: ReadonlyMap<string, Word>;
  readonly #bodyWords: ReadonlyMap<string, Word>;
  readonly #refused: ReadonlySet<string>;

  /** @param required columns that every request has a term or a condition about, which stands in no group */
  constructor(
    source: PlanSource,
    limits: SearchLimits,
    pagesByQuery: boolean,
    private readonly known: GroupWords<Word>,
    private readonly required: readonly NamedPath[],
  ) {
    const { owner, names, columns } = source;
    // Terms of a query string are equalities.
    const terms = [...columns.searchable].filter(([, { path }]) => isTerm(path.column));
    this.#parameters = new ListParameters(source, new Map(terms));
    this.#body = new SearchBody(source, limits, pagesByQuery);
    this.#queryWords = spellings(names, known.query);
    this.#bodyWords = spellings(names, known.body);
    this.#refused = new Set(spellings(names, known.refused).keys());
    const word = [...columns.searchable.keys()].find((name) => this.#queryWords.has(name));
    if (word !== undefined)
      throw new ConfigurationError(
        owner,
        'searchableColumnNames',
        `'${word}' already means something else here`,
      );
  }

  /** @throws BadRequest for a parameter that is unknown or out of range @throws InvalidInput for a term of the wrong type */
  read({ path, query, body }: GroupRequest): GroupAsk<Word> {
    const asked = body === undefined ? this.#queried(path, query) : this.#sent(path, query, body);
    const missing = this.required.find(
      ({ path: { text } }) => !asked.plan.conditions.some((one) => !isGroup(one) && one.path.text === text),
    );
    if (missing !== undefined) throw new BadRequest(`'${missing.name}' is required`);
    return asked;
  }

  /** Describes what clients may send beside the endpoint's own words. */
  describe(): GroupControls {
    const { query, refusals = [] } = this.#parameters.describe();
    const { body, query: besideBody } = this.#body.describe();
    const without = (known: Readonly<Record<string, object>>): Record<string, object> =>
      Object.fromEntries(Object.entries(known).filter(([name]) => !this.#refused.has(name)));
    return { query: without(query), body: without(body ?? {}), besideBody, refusals };
  }

  #queried(path: string, query: GroupRequest['query']): GroupAsk<Word> {
    const words = new Map<Word, WordPart>();
    const rest = new Map<string, string>();
    for (const [name, values] of query) {
      const word = this.#queryWords.get(name);
      const isList = word !== undefined && this.known.lists.includes(word);
      const isTwice = word === undefined ? false : words.has(word);
      if (isTwice || (values.length > 1 && !isList)) throw twice(name, 'query string');
      if (this.#refused.has(name)) throw new BadRequest(`Unknown parameter '${name}' in the query string`);
      const [value = ''] = values;
      if (word === undefined) rest.set(name, value);
      else words.set(word, { name, value: isList ? values.flatMap((text) => text.split(',')) : value });
    }
    return { words, plan: this.#parameters.plan({ path, query: rest, body: new Map() }) };
  }

  #sent(path: string, query: GroupRequest['query'], body: ReadonlyMap<string, unknown>): GroupAsk<Word> {
    const words = new Map<Word, WordPart>();
    const rest = new Map<string, unknown>();
    for (const [name, value] of body) {
      const word = this.#bodyWords.get(name);
      if (this.#refused.has(name)) throw new BadRequest(`Unknown parameter '${name}' in the body`);
      if (word === undefined) rest.set(name, value);
      else if (words.has(word)) throw twice(name, 'body');
      else words.set(word, { name, value });
    }
    const parameters = new Map<string, string>();
    for (const [name, values] of query) {
      if (values.length > 1) throw twice(name, 'query string');
      parameters.set(name, values[0] ?? '');
    }
    return { words, plan: this.#body.plan({ path, query: parameters, body: rest }) };
  }
}

/** Finds what a word names, in the order in which it is declared. @throws BadRequest */
export function namedIn<T>({ name, value }: WordPart, known: ReadonlyMap<string, T>): readonly T[] {
  if (!Array.isArray(value)) throw new BadRequest(`'${name}' must be a list`);
  const chosen = new Set<T>();
  for (const one of value as readonly unknown[]) {
    const member = typeof one === 'string' ? known.get(one) : undefined;
    if (member === undefined) throw new BadRequest(`'${name}' must be of: ${[...known.keys()].join(', ')}`);
    if (chosen.has(member)) throw new BadRequest(`'${name}' names '${String(one)}' twice`);
    chosen.add(member);
  }
  return [...known.values()].filter((member) => chosen.has(member));
}

function twice(name: string, place: string): BadRequest {
  return new BadRequest(`'${name}' is given more than once in the ${place}`);
}
