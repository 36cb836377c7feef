import type { EnvelopedAnswer, PagingDescription } from '../description/operation.description.js';
import { emptyObject, NamedSchema, type JsonSchema } from '../../model/json.schema.js';
import { casingSuffixes, recase, type Casing } from '../../wire/casing.js';
import type { StatusWord } from '../../wire/outcome.table.js';
import type { AnswerSchemas } from './answers.js';

const emptyList: JsonSchema = { type: 'array', items: {}, maxItems: 0 };
const anyObject: JsonSchema = { type: 'object' };
const noError: JsonSchema = { type: 'string', enum: [''] };
const sentence: JsonSchema = { type: 'string', description: 'Says in one sentence what is wrong.' };
const messages: JsonSchema = {
  type: 'object',
  description: 'Messages by column.',
  additionalProperties: { type: 'string' },
  examples: [{ name: "'name' is required." }],
};

/** The standard envelope of the contract as JSON Schema, in one casing. */
export class EnvelopeSchemas implements AnswerSchemas {
  readonly #suffix: string;
  /** The schemas of the refusals, by status word. */
  readonly refusals: Readonly<Record<Exclude<StatusWord, 'success'>, JsonSchema>>;

  /** The schema of an answer by a function that leaves early, without refusing anything. */
  readonly early: JsonSchema;

  constructor(private readonly casing: Casing) {
    this.#suffix = casingSuffixes[casing];
    this.refusals = {
      client_error: this.#named('ClientError', {
        status: 'client_error',
        error: sentence,
        data: emptyList,
      }),
      input_errors: this.#named('InputErrors', {
        status: 'input_errors',
        error: noError,
        data: emptyList,
        inputErrors: messages,
      }),
      failure: this.#named('Failure', { status: 'failure', error: sentence, data: emptyObject }),
    };
    this.early = this.#named('EarlyAnswer', { status: 'success', error: noError, data: {} });
  }

  success({ name, data, paging }: EnvelopedAnswer): JsonSchema {
    const pagination = this.pagination(paging);
    const schema = this.#envelope({ status: 'success', error: noError, data, pagination });
    return name === undefined ? schema : { $ref: new NamedSchema(name, schema) };
  }

  /** The schema of the pagination of an answer; an empty object where there are no pages. */
  pagination(paging: PagingDescription | 'any' | undefined): JsonSchema {
    if (paging === undefined) return emptyObject;
    if (paging === 'any') return anyObject;
    const { counts, next, isSure = true, isVaried = false } = paging;
    const count = counts ? { number_results: { type: 'integer', minimum: 0 } } : {};
    const nextPage: JsonSchema = {
      type: 'object',
      description: 'What to send for the next page; empty on the last one.',
      properties: {
        ...(isVaried ? { [this.#word('start')]: { type: 'integer', minimum: 0 } } : {}),
        [this.#word(next.word)]: next.schema,
      },
      additionalProperties: false,
    };
    // A query of the user's that wants no record has pages of none.
    const limit: JsonSchema = { type: 'integer', minimum: isSure ? 1 : 0 };
    const page = this.#object({ ...count, limit, next_page: nextPage });
    if (isVaried) return { ...page, required: [this.#word('limit'), this.#word('next_page')] };
    return isSure ? page : { ...page, required: [] };
  }

  #named(name: string, parts: EnvelopeParts): JsonSchema {
    return { $ref: new NamedSchema(`${name}${this.#suffix}`, this.#envelope(parts)) };
  }

  #envelope({ status, error, data, pagination, inputErrors }: EnvelopeParts): JsonSchema {
    return this.#object({
      status: { type: 'string', enum: [this.#word(status)] },
      error,
      data,
      pagination: pagination ?? emptyObject,
      input_errors: inputErrors ?? emptyObject,
    });
  }

  /** An object with these members under their names in the casing, all of them there. */
  #object(members: Readonly<Record<string, JsonSchema>>): JsonSchema {
    const entries = Object.entries(members).map(([name, schema]) => [this.#word(name), schema] as const);
    return {
      type: 'object',
      properties: Object.fromEntries(entries),
      required: entries.map(([name]) => name),
      additionalProperties: false,
    };
  }

  #word(name: string): string {
    return recase(name, 'snake_case', this.casing);
  }
}

interface EnvelopeParts {
  readonly status: StatusWord;
  readonly error: JsonSchema;
  readonly data: JsonSchema;
  readonly pagination?: JsonSchema;
  readonly inputErrors?: JsonSchema;
}
