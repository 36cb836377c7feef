import { nameLike } from '../wire/names.js';
import type { ApiSchema } from './api.document.js';
import { conditionColumns, textsIn, type ComparedColumn } from './condition.columns.js';
import type { ResourceCall } from './resource.js';
import type { SchemaReader } from './schema.reader.js';

/** The words of a list under the names that this one has for them. */
const words = ['sort', 'direction', 'limit', 'start', 'after', 'where', 'fields', 'include', 'near'] as const;

/** The words, and those within conditions and sorts. */
type Word = (typeof words)[number] | 'column' | 'operator' | 'value' | 'any' | 'all' | 'not';

/** The things that can be asked of a list or a search. */
export interface ListAbilities {
  readonly call: ResourceCall;
  /** True for a list that takes a body with conditions; else terms are parameters of the query string. */
  readonly hasConditions: boolean;
  /** True if parameters go into a JSON body. */
  readonly hasBody: boolean;
  readonly sortable: ReadonlySet<string>;
  readonly mostSorts: number;
  /** The most records of a page. */
  readonly mostRecords: number;
  readonly columns: ReadonlyMap<string, ComparedColumn>;
  /** Gives the name of a word in the casing of the list. */
  readonly word: (word: Word) => string;
  /** The words that it takes. */
  readonly has: (word: Word) => boolean;
}

/** Reads what a List or a SimpleSearch takes: parameters. */
export function listAbilities(reader: SchemaReader, call: ResourceCall): ListAbilities {
  const hasBody = call.method !== 'get';
  const query = (call.operation.parameters ?? []).filter(
    // Those of a stream are none of an answer in JSON.
    (one) => one.in === 'query' && one.schema?.['x-media-type'] === undefined,
  );
  const parameters: Readonly<Record<string, ApiSchema>> = {
    ...Object.fromEntries(query.map(({ name, schema = {} }) => [name, reader.resolved(schema)])),
    ...(hasBody ? reader.properties(reader.body(call.operation)) : {}),
  };
  const named = namesOf(Object.keys(parameters));
  const controls = new Set<string>(words.map(named.word));
  const terms = Object.entries(parameters).filter(([name]) => !controls.has(name));
  const columns = terms.map(
    ([name, schema]) => [name, { operators: new Set(['=']), schema, mostValues: 1 }] as const,
  );
  const sorts = textsIn(parameters[named.word('sort')] ?? {});
  return {
    ...{ call, hasBody, ...named, columns: new Map(columns), sortable: new Set(sorts) },
    ...{
      hasConditions: false,
      mostSorts: 1,
      mostRecords: mostOf(parameters[named.word('limit')]),
    },
  };
}

/** Reads what an AdvancedSearch takes: a body. */
export function searchAbilities(reader: SchemaReader, call: ResourceCall): ListAbilities {
  const body = reader.properties(reader.body(call.operation));
  const named = namesOf(Object.keys(body));
  const { items, maxItems: mostSorts = 1 } = reader.resolved(body[named.word('sort')]);
  const sorts = reader.choices(items).flatMap(({ properties = {} }) => {
    const column = nameLike(Object.keys(properties), 'column') ?? '';
    return textsIn(reader.resolved(properties[column]));
  });
  const where = reader.resolved(body[named.word('where')]);
  const mostRecords = mostOf(reader.resolved(body[named.word('limit')]));
  return {
    ...{ call, ...named, columns: conditionColumns(reader, where.items), sortable: new Set(sorts) },
    ...{ hasConditions: true, hasBody: true, mostSorts, mostRecords },
  };
}

/** The most records of a page; a service without a limit tells the largest number that JSON has everywhere. */
function mostOf({ maximum = Infinity }: ApiSchema = {}): number {
  return maximum >= Number.MAX_SAFE_INTEGER ? Infinity : maximum;
}

/** The names of words in the casing of the list, told by the names that it takes: every list has a `limit`. */
function namesOf(names: readonly string[]): Pick<ListAbilities, 'word' | 'has'> {
  const isTitled = names.includes('Limit');
  const word = (one: Word): string => (isTitled ? one.charAt(0).toUpperCase() + one.slice(1) : one);
  return { word, has: (one) => names.includes(word(one)) };
}
