import type { JsonSchema } from '../model/json.schema.js';
import { noUnits, type NamedUnits, type Units } from '../query/selection.units.js';
import { ConfigurationError } from '../wire/configuration.error.js';
import type { NameTable } from '../wire/name.table.js';
import { BadRequest } from '../wire/refusals.js';
import { parseQueryLists } from './query.string.js';
import { spellings } from './search.entry.js';

type SelectionWord = 'fields' | 'include';

/** The names that each word takes, by the names that clients use; undefined for a word that is not read. */
export type SelectableNames = Readonly<Record<SelectionWord, ReadonlyMap<string, NamedUnits> | undefined>>;

/** The options that read the words. */
const optionOf = {
  fields: 'clientSelectsColumns',
  include: 'includableColumnNames',
} as const satisfies Record<SelectionWord, string>;

/** The parameters of a list, as they came. */
interface SentParameters {
  readonly query: ReadonlyMap<string, string>;
  readonly body: ReadonlyMap<string, unknown>;
}

/** The columns that a list is asked for, and the other parameters. */
interface TakenParameters extends SentParameters {
  readonly units: Units;
}

/** Reads which columns a client asks for: `fields` in the place of the usual ones, `include` beside them. Made once per endpoint. */
export class SelectionParameters {
  readonly #words: ReadonlyMap<string, SelectionWord>;

  /** @param usual the columns that are shown when nobody asks for others */
  constructor(
    private readonly names: NameTable,
    private readonly selectable: SelectableNames,
    private readonly usual: Units,
  ) {
    this.#words = spellings(names, ['fields', 'include']);
  }

  /** @throws ConfigurationError for a column that has the name of a word which is read */
  refuseColumns(owner: string, option: string, columnNames: readonly string[]): void {
    for (const columnName of columnNames) {
      const word = this.#words.get(this.names.outward(columnName));
      if (word === undefined || this.selectable[word] === undefined) continue;
      const name = this.names.control(word);
      throw new ConfigurationError(
        owner,
        option,
        `'${columnName}': ${optionOf[word]} reads '${name}' as a control`,
      );
    }
  }

  /**
   * The columns that a query string asks for; what else stands there is left alone.
   * @throws BadRequest
   */
  inQuery(queryString: string): Units {
    if (queryString === '') return this.usual;
    const asked = new Map<SelectionWord, Units>();
    for (const [name, texts] of parseQueryLists(queryString)) {
      const word = this.#words.get(name);
      if (word === undefined) continue;
      if (this.selectable[word] === undefined)
        throw new BadRequest(`Unknown parameter '${name}' in the query string`);
      const [text = '', ...others] = texts;
      if (others.length > 0 || asked.has(word)) throw twice(name, 'query string');
      asked.set(word, this.#units(word, name, listed(text)));
    }
    return this.#sum(asked);
  }

  /**
   * The columns that a list is asked for. A word that is not read stays with the others, for whoever refuses those.
   * @param readsQuery false where the query string has no words: then they stay there, too
   * @throws BadRequest
   */
  taken({ query, body }: SentParameters, readsQuery: boolean): TakenParameters {
    const asked = new Map<SelectionWord, Units>();
    const [otherQuery, otherBody] = [new Map(query), new Map(body)];
    for (const [name, text] of readsQuery ? query : []) {
      const word = this.#read(name);
      if (word === undefined) continue;
      if (asked.has(word)) throw twice(name, 'query string');
      asked.set(word, this.#units(word, name, listed(text)));
      otherQuery.delete(name);
    }
    const queried = new Set(asked.keys());
    for (const [name, value] of body) {
      const word = this.#read(name);
      if (word === undefined) continue;
      if (queried.has(word)) throw new BadRequest(`'${name}' is given in both the body and the query string`);
      if (asked.has(word)) throw twice(name, 'body');
      if (!Array.isArray(value)) throw new BadRequest(`'${name}' must be a list`);
      asked.set(word, this.#units(word, name, value));
      otherBody.delete(name);
    }
    return { units: this.#sum(asked), query: otherQuery, body: otherBody };
  }

  /** The schemas of the words that are read, by the names that clients use. */
  get schemas(): Readonly<Record<string, JsonSchema>> {
    const entries = (['fields', 'include'] as const).flatMap((word) => {
      const names = this.selectable[word];
      if (names === undefined) return [];
      const items = { type: 'string', enum: [...names.keys()] };
      return [[this.names.control(word), { type: 'array', items, minItems: 1, uniqueItems: true }] as const];
    });
    return Object.fromEntries(entries);
  }

  #read(name: string): SelectionWord | undefined {
    const word = this.#words.get(name);
    return word === undefined || this.selectable[word] === undefined ? undefined : word;
  }

  /** @param sent of which no more is looked at than there are names */
  #units(word: SelectionWord, name: string, sent: readonly unknown[]): Units {
    const names = this.selectable[word] ?? new Map<string, NamedUnits>();
    if (sent.length === 0) throw new BadRequest(`'${name}' must name at least one column`);
    const seen = new Set<unknown>();
    let units = noUnits;
    for (const one of sent) {
      const known = typeof one === 'string' ? names.get(one) : undefined;
      if (known === undefined) throw new BadRequest(`'${name}' must be of: ${[...names.keys()].join(', ')}`);
      if (seen.has(one)) throw new BadRequest(`'${name}' names '${String(one)}' twice`);
      seen.add(one);
      units |= known.units;
    }
    return units;
  }

  #sum(asked: ReadonlyMap<SelectionWord, Units>): Units {
    return (asked.get('fields') ?? this.usual) | (asked.get('include') ?? noUnits);
  }
}

function listed(text: string): readonly string[] {
  return text === '' ? [] : text.split(',');
}

/** The words have two spellings, so one may come twice. */
function twice(name: string, source: 'query string' | 'body'): BadRequest {
  return new BadRequest(`'${name}' is given more than once in the ${source}`);
}
