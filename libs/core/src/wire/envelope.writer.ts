import { jsonContentType } from './answer.js';
import type { AnswerFormat, RefusalFacts } from './answer.format.js';
import { recase, type Casing } from './casing.js';
import { jsonString } from './json.text.js';
import type { StatusWord } from './outcome.table.js';
import type { Pagination } from './pagination.js';
import type { InputErrors } from './refusals.js';

/**
 * Writes the standard envelope (contract: Standard response envelope) as JSON text, in one casing. The fixed parts
 * are made once; an answer is a concatenation. Keys always come as status, error, data, pagination, input_errors.
 */
export class EnvelopeWriter implements AnswerFormat {
  readonly contentType = jsonContentType;
  readonly refusalType = jsonContentType;
  readonly #success: string;
  readonly #heads: Readonly<Record<Exclude<StatusWord, 'success'>, string>>;
  readonly #data: string;
  readonly #pagination: string;
  readonly #inputErrors: string;
  /** The text behind the data where there is no pagination. */
  readonly #unpaged: string;
  readonly #paging: { readonly numberResults: string; readonly limit: string; readonly nextPage: string };

  constructor(readonly casing: Casing) {
    this.#data = `,${this.word('data')}:`;
    this.#pagination = `,${this.word('pagination')}:`;
    this.#inputErrors = `,${this.word('input_errors')}:`;
    this.#unpaged = `${this.#pagination}{}${this.#inputErrors}{}}`;
    this.#success = `${this.#head('success')}""${this.#data}`;
    this.#heads = {
      client_error: this.#head('client_error'),
      input_errors: this.#head('input_errors'),
      failure: this.#head('failure'),
    };
    this.#paging = {
      numberResults: this.word('number_results'),
      limit: this.word('limit'),
      nextPage: this.word('next_page'),
    };
  }

  /** @param data JSON text of the record or list @param pagination of a paged list; left out it is an empty object */
  success(data: string, pagination?: Pagination): string {
    if (pagination === undefined) return `${this.#success}${data}${this.#unpaged}`;
    return `${this.#success}${data}${this.#pagination}${this.pagingOf(pagination)}${this.#inputErrors}{}}`;
  }

  refusal({ status, message, inputErrors }: RefusalFacts): string {
    if (status === 'success') throw new TypeError('A refusal cannot be a success');
    return (
      `${this.#heads[status]}${JSON.stringify(message)}${this.#data}${status === 'failure' ? '{}' : '[]'}` +
      `${this.#pagination}{}${this.#inputErrors}${messagesText(inputErrors)}}`
    );
  }

  /** The JSON text of the pagination of a list; of what is none an empty object. */
  pagingOf(pagination: Pagination | undefined): string {
    if (pagination === undefined) return '{}';
    const { number_results, limit, next_page } = pagination;
    const count = number_results === undefined ? '' : `${this.#paging.numberResults}:${number_results},`;
    const next = Object.entries(next_page).map(
      ([key, value]) => `${this.word(key)}:${JSON.stringify(value)}`,
    );
    return `{${count}${this.#paging.limit}:${limit},${this.#paging.nextPage}:{${next.join(',')}}}`;
  }

  /** A key or status word of the contract, cased and quoted as JSON text. */
  word(name: string): string {
    return JSON.stringify(recase(name, 'snake_case', this.casing));
  }

  #head(status: StatusWord): string {
    return `{${this.word('status')}:${this.word(status)},${this.word('error')}:`;
  }
}

/** Written by hand, because an object literal would swallow a column named `__proto__`. */
function messagesText(inputErrors: InputErrors): string {
  let members = '';
  for (const [name, text] of inputErrors)
    members += `${members === '' ? '' : ','}${jsonString(name)}:${jsonString(text)}`;
  return `{${members}}`;
}
