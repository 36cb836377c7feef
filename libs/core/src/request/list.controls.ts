import { termSchema, textualSchema } from '../model/column.schema.js';
import type { JsonSchema } from '../model/json.schema.js';
import type { Outcome } from '../wire/outcome.table.js';
import type { NamedPath } from '../query/list.columns.js';
import type { PlanSource } from '../query/plan.source.js';

/** The input of a list, for generated documentation: schemas by the names clients use. */
export interface ControlsDescription {
  /** In the query string. */
  readonly query: Readonly<Record<string, JsonSchema>>;
  /** The members of a JSON body; undefined where none is read. */
  readonly body: Readonly<Record<string, JsonSchema>> | undefined;
  /** The possible answers beside success and a bad request. Default: none. */
  readonly refusals?: readonly Outcome[];
}

/** Describes what List and SimpleSearch read: controls and search terms, in the query string and in the body alike. */
export function listControls(
  source: PlanSource,
  searchable: ReadonlyMap<string, NamedPath>,
): ControlsDescription {
  const { names, columns, forcesText } = source;
  const sorts = [...columns.sortable.keys()];
  const usual = names.outward(columns.defaultSort.text);
  const controls = {
    ...(sorts.length === 0 ? {} : { [names.control('sort')]: sortSchema(sorts, usual) }),
    [names.control('direction')]: { ...directionSchema, default: columns.defaultDirection },
    ...pageControls(source),
  };
  const terms = (schemaOf: (term: NamedPath) => JsonSchema): Record<string, JsonSchema> =>
    Object.fromEntries([...searchable].map(([name, term]) => [name, schemaOf(term)]));
  return {
    query: { ...controls, ...terms(({ path }) => textualSchema(path.column)) },
    body: { ...controls, ...terms(({ path }) => termSchema(path.column, forcesText)) },
    refusals: searchable.size === 0 ? [] : ['invalidInput'],
  };
}

export const directionSchema: JsonSchema = { type: 'string', enum: ['asc', 'desc'] };

/** `limit`, and the words that say which page. */
export function pageControls(source: PlanSource): Record<string, JsonSchema> {
  const { names, paging } = source;
  return { [names.control('limit')]: paging.limitSchema, ...pageWordsOf(source) };
}

/** The words that say which page, under the names that clients use. */
export function pageWordsOf({ names, paging }: PlanSource): Record<string, JsonSchema> {
  const { words, wordSchemas } = paging;
  return Object.fromEntries(words.map((word) => [names.control(word), wordSchemas[word] ?? {}]));
}

function sortSchema(sorts: readonly string[], usual: string): JsonSchema {
  return { type: 'string', enum: sorts, ...(sorts.includes(usual) ? { default: usual } : {}) };
}
