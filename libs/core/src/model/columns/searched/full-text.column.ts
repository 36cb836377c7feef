import { ConfigurationError, oneOf } from '../../../wire/configuration.error.js';
import type { JsonSchema } from '../../json.schema.js';
import { sqlText, type SearchSql, type VirtualExpression } from './search.sql.js';
import { isTextType, searchText, searchTextComplaint } from './search.text.js';
import { VirtualColumn } from './virtual.column.js';

/** The weight of a column's words in the rank: `A` counts most. */
export type TextWeight = 'A' | 'B' | 'C' | 'D';

const weights: readonly unknown[] = ['A', 'B', 'C', 'D'] satisfies TextWeight[];

/** Parameters of {@link FullTextColumn}. */
export interface FullTextOptions {
  /** The text columns of the entity that are searched: names, or weights by names. */
  readonly of: string | readonly string[] | Readonly<Record<string, TextWeight>>;
  /** The text search configuration of the database, such as `english` or `simple`. */
  readonly configuration: string;
  /** The property that keeps the words, a generated `tsvector` column. Default: none, an index is over the expression. */
  readonly storedIn?: string;
  /** True if the last word of a search matches as the beginning of words. Default false. */
  readonly prefix?: boolean;
}

/**
 * The most characters that are searched, in all columns together. A `tsvector` has room for 1,048,575 bytes. A character
 * has four at most, a word's place and alignment are no more than its separator would be, and words with hyphens are kept
 * whole and in parts: some 8 bytes a character. What is left is for dictionaries that make words longer.
 */
const searchedCharacters = 100_000;

/** A name in the catalogue, with a schema or without. */
const catalogueName = /^(?:[a-z_]\w*\.)?[a-z_]\w*$/i;

/**
 * Words in texts of a record, found by their stems with PostgreSQL's full text search. Clients write as they do to search
 * engines: words, `"a phrase"`, `or`, `-without`. Nothing they write is an error.
 *
 * @example
 * defineColumns(Article, {
 *   text: { type: new FullTextColumn({ of: { title: 'A', body: 'B' }, configuration: 'english' }) },
 * });
 */
export class FullTextColumn extends VirtualColumn {
  readonly name: string = 'FullText';
  readonly schema: JsonSchema = searchText;
  override readonly operators = ['matches'] as const;
  override readonly virtual: VirtualExpression;
  override readonly search: SearchSql;

  /** @throws ConfigurationError */
  constructor(options: FullTextOptions) {
    super();
    check(options);
    const { configuration, storedIn, prefix = false } = options;
    const language = sqlText(configuration);
    this.virtual = storedIn === undefined ? documentOf(options, language) : storedDocument(storedIn);
    const query = (text: string): string => queryOf(language, text, prefix);
    this.search = {
      operator: 'matches',
      best: 'desc',
      needs: [configurationNeed(configuration)],
      settings: [],
      condition: (document, value) => `${document} @@ ${query(value())}`,
      rank: (document, value) => `ts_rank(${document}, ${query(value())})`,
      index: (document) => `using gin (${document})`,
      indexMarks:
        storedIn === undefined
          ? ['using gin', `to_tsvector(${language}`, `, ${charactersOf(options)})`]
          : ['using gin'],
    };
  }

  complaint(value: unknown): string | undefined {
    return searchTextComplaint(value);
  }
}

function check({ of, configuration, storedIn, prefix }: FullTextOptions): void {
  const refuse = (option: string, problem: string): never => {
    throw new ConfigurationError('FullTextColumn', option, problem);
  };
  const names = namesOf(of);
  if (names.length === 0 || names.some((name) => typeof name !== 'string' || name === ''))
    refuse('of', 'must name at least one column');
  if (typeof of !== 'string' && !isList(of))
    for (const [name, weight] of Object.entries(of))
      if (!weights.includes(weight))
        refuse('of', `'${name}': '${weight}' is no weight; ${oneOf(['A', 'B', 'C', 'D'])}`);
  if (typeof configuration !== 'string' || !catalogueName.test(configuration))
    refuse(
      'configuration',
      `'${configuration}' is not the name of a text search configuration, e.g. english`,
    );
  if (storedIn !== undefined && (typeof storedIn !== 'string' || storedIn === ''))
    refuse('storedIn', 'must be the name of a property');
  if (prefix !== undefined && typeof prefix !== 'boolean') refuse('prefix', 'must be true or false');
}

function namesOf(of: FullTextOptions['of']): readonly string[] {
  if (typeof of === 'string') return [of];
  return isList(of) ? of : Object.keys(of);
}

function isList(of: Exclude<FullTextOptions['of'], string>): of is readonly string[] {
  return Array.isArray(of);
}

/** Gives how many characters of each column are searched. */
function charactersOf({ of }: FullTextOptions): number {
  return Math.floor(searchedCharacters / namesOf(of).length);
}

/** The words of the columns, each with its weight where one is given. */
function documentOf(options: FullTextOptions, language: string): VirtualExpression {
  const { of } = options;
  const characters = charactersOf(options);
  const names = namesOf(of);
  const weighted = typeof of === 'string' || isList(of) ? [] : Object.entries<string>(of);
  return {
    of: names,
    suits: isTextType,
    suitable: 'columns of text',
    write: (field) => {
      const words = (name: string): string =>
        `to_tsvector(${language}, left(coalesce(${field(name)}, ''), ${characters}))`;
      const parts =
        weighted.length === 0
          ? names.map(words)
          : weighted.map(([name, weight]) => `setweight(${words(name)}, ${sqlText(weight)})`);
      return parts.length === 1 ? parts.join('') : `(${parts.join(' || ')})`;
    },
  };
}

function storedDocument(storedIn: string): VirtualExpression {
  return {
    of: [storedIn],
    suits: (databaseType) => databaseType === 'tsvector',
    suitable: 'generated columns of the type tsvector',
    write: (field) => field(storedIn),
  };
}

/** Writes the query of a text: `websearch_to_tsquery` takes any. A query ends with a word, or with the bracket of a negation. */
function queryOf(language: string, text: string, prefix: boolean): string {
  const query = `websearch_to_tsquery(${language}, ${text})`;
  if (!prefix) return query;
  return `case when ${query}::text like '%''' then (${query}::text || ':*')::tsquery else ${query} end`;
}

function configurationNeed(configuration: string): SearchSql['needs'][number] {
  const [name = '', schema] = configuration.toLowerCase().split('.').reverse();
  const within = schema === undefined ? '' : ` and cfgnamespace::regnamespace::text = ${sqlText(schema)}`;
  return {
    probe: `select exists (select 1 from pg_ts_config where cfgname = ${sqlText(name)}${within})`,
    problem: `the database has no text search configuration '${configuration}': see \\dF, or create text search configuration ${configuration} (copy = simple)`,
  };
}
