import type { JsonSchema } from '../../model/json.schema.js';
import type { Outcome } from '../../wire/outcome.table.js';

/** What an endpoint takes and gives, in the words of the contract: generated documents are made of it. */
export interface OperationDescription {
  /** What it does, one word: `create`. With the path it makes the operation's id. */
  readonly verb: string;
  /** The same in a few words: `Create a City`. */
  readonly summary: string;
  /** The same in sentences. Default: the summary. */
  readonly description?: string;
  /** What is known of path parameters beyond their being text, by their names. */
  readonly pathParameters?: Readonly<Record<string, JsonSchema>>;
  /** Parameters of the query string, by the names that clients use. Default none. */
  readonly queryParameters?: Readonly<Record<string, JsonSchema>> | 'any';
  /** The ones that must be sent. Default none. */
  readonly requiredParameters?: readonly string[];
  /** Headers of the request that say something to this endpoint, by name. Default none. */
  readonly headerParameters?: Readonly<Record<string, HeaderDescription>>;
  /** The request body; undefined where none is read. */
  readonly body?: BodyDescription | undefined;
  readonly answer: AnswerDescription;
  /** Whether a client that has the answer already is told so, by a 304 without a body. Default false. */
  readonly isConditional?: boolean;
  /** What else it may answer, beside what any endpoint may; `any` is not even sure of the envelope. */
  readonly refusals?: readonly Outcome[] | 'any';
  /** Whether functions of the user's own take part, whose exceptions may be any refusal. Default false. */
  readonly runsCallables?: boolean;
}

/** A header of a request or an answer; its value is text. */
export interface HeaderDescription {
  /** One sentence. */
  readonly description: string;
  /** Default any text. */
  readonly schema?: JsonSchema;
  /** Whether it is always there. Default false. */
  readonly isRequired?: boolean;
}

/** A JSON request body. */
export interface BodyDescription {
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
}

/** What a success answers. */
export type AnswerDescription = EnvelopedAnswer | RawAnswerDescription;

/** Data in the standard envelope. */
export interface EnvelopedAnswer {
  readonly kind: 'envelope';
  /** What the whole answer is called in documents, e.g. `CityPage`; left out, it has no name. */
  readonly name?: string;
  /** Of the whole data: a page's is an array. */
  readonly data: JsonSchema;
  /** Of a paged list; undefined elsewhere, `any` where it cannot be told. */
  readonly paging?: PagingDescription | 'any';
  /** Default 200. */
  readonly statusCode?: number;
  /** Headers that tell something of it, by name. Default none. */
  readonly headers?: Readonly<Record<string, HeaderDescription>>;
}

/** Which keys a pagination object has. */
export interface PagingDescription {
  /** Whether `number_results` is there. */
  readonly counts: boolean;
  /** The key in `next_page`, and what it holds. */
  readonly next: { readonly word: string; readonly schema: JsonSchema };
}

/** An answer outside of the envelope. */
export interface RawAnswerDescription {
  readonly kind: 'raw';
  /** Schemas by media type, e.g. `text/plain`. */
  readonly content: Readonly<Record<string, JsonSchema>>;
  /** Default 200. */
  readonly statusCode?: number;
  /** Headers that tell something of it, by name. Default none. */
  readonly headers?: Readonly<Record<string, HeaderDescription>>;
}
