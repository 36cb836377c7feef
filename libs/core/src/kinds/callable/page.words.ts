import { declaredNames } from '../../request/schemas/listed.names.js';
import type { SchemaSource } from '../../metadata/schema.source.js';
import { startSchema } from '../../query/paging.js';
import type { JsonSchema } from '../../model/json.schema.js';
import type { NameTable } from '../../wire/name.table.js';

/** The options that tell whether a query that the function gives may be answered a page at a time. */
export interface PageSource {
  readonly modelClass?: unknown;
  readonly readableColumnNames?: readonly string[] | undefined;
  readonly outputMap?: unknown;
  readonly returnRecords?: boolean | undefined;
  readonly querySchema?: unknown;
}

/** The most that can be said at the start: a query of the user's may have a limit of its own, which is the largest then. */
const schemas: Readonly<Record<'limit' | 'start', JsonSchema>> = {
  limit: { type: 'integer', minimum: 1, description: 'The size of a page.' },
  start: { ...startSchema, description: 'The number of records before the page.' },
};

/** The parameters of the query string that say which page of a returned query is asked for. Made once per endpoint. */
export class PageWords {
  /** The names that a schema of the query string does not get, in both spellings. */
  readonly taken: ReadonlySet<string>;
  /** The schemas by the names that clients use. */
  readonly described: Readonly<Record<string, JsonSchema>>;

  constructor(source: PageSource, names: NameTable) {
    const { querySchema } = source;
    const declared = querySchema === undefined ? new Set() : declaredNames(querySchema as SchemaSource);
    const words = (['limit', 'start'] as const).filter((word) =>
      // A schema that does not tell what it takes takes all, as it always did.
      [word, names.control(word)].every((name) => declared?.has(name) === false),
    );
    const own = givesPages(source) ? words : [];
    this.taken = new Set(own.flatMap((word) => [word, names.control(word)]));
    this.described = Object.fromEntries(own.map((word) => [names.control(word), schemas[word]]));
  }
}

/** True if the endpoint says that it shows records of its entity, several of them. */
export function givesPages({
  modelClass,
  readableColumnNames,
  outputMap,
  returnRecords,
}: PageSource): boolean {
  const isShown = readableColumnNames !== undefined || outputMap !== undefined;
  return modelClass !== undefined && returnRecords === true && isShown;
}
