import { ConfigurationError, oneOf } from '../../../wire/configuration.error.js';
import type { JsonSchema } from '../../json.schema.js';
import { extensionNeed, type SearchSql, type VirtualExpression } from './search.sql.js';
import { isTextType, searchText, searchTextComplaint } from './search.text.js';
import { VirtualColumn } from './virtual.column.js';

/** Parameters of {@link SimilarColumn}. */
export interface SimilarOptions {
  /** The text column of the entity that is compared. */
  readonly of: string;
  /** The least similarity of a record, above 0 and up to 1. Default 0.6 of words, 0.3 of whole texts. */
  readonly threshold?: number;
  /** `word` (default) compares with the most similar words of the text, `whole` with all of it. */
  readonly mode?: 'word' | 'whole';
}

/** The functions of pg_trgm; its operators compare with the settings, and have the indexes. */
const modes = {
  word: {
    setting: 'pg_trgm.word_similarity_threshold',
    usual: 0.6,
    test: (text: string, value: string) => `${value} <% ${text}`,
    rank: (text: string, value: string) => `word_similarity(${value}, ${text})`,
  },
  whole: {
    setting: 'pg_trgm.similarity_threshold',
    usual: 0.3,
    test: (text: string, value: string) => `${text} % ${value}`,
    rank: (text: string, value: string) => `similarity(${text}, ${value})`,
  },
} as const;

/**
 * A text column that is found by what is written nearly the same, by the trigrams of PostgreSQL's extension pg_trgm.
 *
 * @example
 * defineColumns(City, { like: { type: new SimilarColumn({ of: 'name', threshold: 0.4 }) } });
 */
export class SimilarColumn extends VirtualColumn {
  readonly name: string = 'Similar';
  readonly schema: JsonSchema = searchText;
  override readonly operators = ['similar'] as const;
  override readonly virtual: VirtualExpression;
  override readonly search: SearchSql;

  /** @throws ConfigurationError */
  constructor(options: SimilarOptions) {
    super();
    check(options);
    const { of, mode = 'word' } = options;
    const { setting, usual, test, rank } = modes[mode];
    const threshold = options.threshold ?? usual;
    this.virtual = {
      of: [of],
      suits: isTextType,
      suitable: 'columns of text',
      write: (field) => field(of),
    };
    const least = String(threshold);
    this.search = {
      operator: 'similar',
      best: 'desc',
      needs: [extensionNeed('pg_trgm')],
      settings: [[setting, least]],
      // The operator has the index; another column of the statement may have a lower threshold for it.
      condition: (text, value) =>
        `(${test(text, value())} and ${rank(text, value())} >= cast(${least} as real))`,
      rank: (text, value) => rank(text, value()),
      index: (text) => `using gin (${text} gin_trgm_ops)`,
      indexMarks: ['trgm_ops'],
    };
  }

  complaint(value: unknown): string | undefined {
    return searchTextComplaint(value);
  }
}

function check({ of, threshold, mode }: SimilarOptions): void {
  const refuse = (option: string, problem: string): never => {
    throw new ConfigurationError('SimilarColumn', option, problem);
  };
  if (typeof of !== 'string' || of === '') refuse('of', 'must name a column');
  if (mode !== undefined && !Object.hasOwn(modes, mode))
    refuse('mode', `'${mode}' is unknown; ${oneOf(Object.keys(modes))}`);
  if (threshold !== undefined && !(typeof threshold === 'number' && threshold > 0 && threshold <= 1))
    refuse('threshold', `${String(threshold)} is not a number above 0 and up to 1`);
}
