import type { AnswerFormat } from '../../wire/answer.format.js';
import type { Casing } from '../../wire/casing.js';
import type { StatusWord } from '../../wire/outcome.table.js';
import type { JsonSchema } from '../../model/json.schema.js';
import type { EnvelopedAnswer, HeaderDescription } from '../description/operation.description.js';

/** The place that a format of answers is for: an endpoint, or what a group answers itself. */
export interface AnswerPlace {
  readonly casing: Casing;
  /** Cases a word of the contract, which is snake_case there: `number_results`. */
  readonly word: (name: string) => string;
}

/** The schemas of what a format writes, for generated documentation. */
export interface AnswerSchemas {
  /** The schema of a success. */
  success(answer: EnvelopedAnswer): JsonSchema;
  /** Describes the headers that pages have, by name. Default none. */
  pageHeaders?(paging: NonNullable<EnvelopedAnswer['paging']>): Readonly<Record<string, HeaderDescription>>;
  /** The schemas of refusals, by status word. */
  readonly refusals: Readonly<Record<Exclude<StatusWord, 'success'>, JsonSchema>>;
  /** The schema of an answer by a function that leaves early, without refusing anything. */
  readonly early: JsonSchema;
}

const anything: AnswerSchemas = {
  success: () => ({}),
  refusals: { client_error: {}, input_errors: {}, failure: {} },
  early: {},
};

/**
 * The way in which answers are written: what stands around data, how a page tells of the next one, how errors look. The
 * set is open: extend this class, or one of ours. An instance holds no state of a request; all endpoints may share it.
 *
 * Whatever it is, status codes and the headers of an endpoint stay as they are. Raw answers of a Callable, documents, OPTIONS
 * and 304 are not written by it.
 */
export abstract class Answers {
  /**
   * True if clients tell errors from successes by the status code alone, so that `inputErrorsStatus` must be one of an
   * error. Default true.
   */
  readonly needsErrorStatus: boolean = true;

  /**
   * True if a page tells where the next one is by a url, to which the same method and body are sent. An AdvancedSearch
   * then takes the words for pages from the query string, too. Default false.
   */
  readonly linksPages: boolean = false;

  /** Makes the format of one endpoint or group, once, when the application starts. */
  abstract format(place: AnswerPlace): AnswerFormat;

  /** Describes what the format writes, when somebody asks for the first document. Default: any JSON. */
  schemas(_place: AnswerPlace): AnswerSchemas {
    return anything;
  }
}
