import type { JsonSchema } from '../../model/json.schema.js';
import type { Outcome } from '../../wire/outcome.table.js';

/** The input and output of an endpoint, in the words of the contract. Generated documents are made of it. */
export interface OperationDescription {
  /** The action in one word: `create`. With the path it makes the operation's id. */
  readonly verb: string;
  /** A summary in a few words: `Create a City`. */
  readonly summary: string;
  /** A description in sentences. Default: the summary. */
  readonly description?: string;
  /** The schemas of path parameters that are more than text, by their names. */
  readonly pathParameters?: Readonly<Record<string, JsonSchema>>;
  /** Parameters of the query string, by the names that clients use. Default none. */
  readonly queryParameters?: Readonly<Record<string, JsonSchema>> | 'any';
  /** True if any others may be sent, too. Default false. */
  readonly takesAnyParameter?: boolean;
  /** The ones that are lists, whose entries stand in one text with commas between them. Default none. */
  readonly listParameters?: readonly string[] | undefined;
  /** The ones that must be sent. Default none. */
  readonly requiredParameters?: readonly string[];
  /** Headers of the request that say something to this endpoint, by name. Default none. */
  readonly headerParameters?: Readonly<Record<string, HeaderDescription>>;
  /** The request body; undefined where none is read. */
  readonly body?: BodyDescription | undefined;
  readonly answer: AnswerDescription;
  /** Schemas of other representations of the answer, by media type. Default none. */
  readonly representations?: Readonly<Record<string, JsonSchema>>;
  /** True if a client that has the answer already gets a 304 without a body. Default false. */
  readonly isConditional?: boolean;
  /** The other answers it may give, beside those of any endpoint; with `any` not even the envelope is sure. */
  readonly refusals?: readonly Outcome[] | 'any';
  /**
   * Parameters of the query string of methods with a body, in place of {@link queryParameters}: where those ask by the body.
   * Default: the same.
   */
  readonly besideBody?: Readonly<Record<string, JsonSchema>>;
  /**
   * True if every method of the endpoint asks the same. Documents tell so, and a page shows one entry for all of them.
   * Default false.
   */
  readonly asksAlike?: boolean;
  /** True if functions of the user's own take part, whose exceptions may be any refusal. Default false. */
  readonly runsCallables?: boolean;
}

/** A header of a request or an answer; its value is text. */
export interface HeaderDescription {
  /** One sentence. */
  readonly description: string;
  /** Default any text. */
  readonly schema?: JsonSchema;
  /** True if it is always there. Default false. */
  readonly isRequired?: boolean;
}

/** A request body. */
export interface BodyDescription {
  /** The schema of a JSON body. */
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
  /** Schemas by media type, where the body is not one value of JSON. Default: {@link schema}, of `application/json`. */
  readonly content?: Readonly<Record<string, JsonSchema>>;
}

/** The answer of a success. */
export type AnswerDescription = EnvelopedAnswer | RawAnswerDescription;

/** Data that the endpoint's `Answers` write: in the standard envelope by default. */
export interface EnvelopedAnswer {
  readonly kind: 'envelope';
  /** The name of the whole envelope in documents, e.g. `CityPage`. Default: no name. */
  readonly name?: string;
  /** The schema of the whole data: a page's is an array. */
  readonly data: JsonSchema;
  /** The keys of a paged list; undefined elsewhere, `any` where they cannot be told. */
  readonly paging?: PagingDescription | 'any';
  /** Default 200. */
  readonly statusCode?: number;
  /** Headers that tell something of it, by name. Default none. */
  readonly headers?: Readonly<Record<string, HeaderDescription>>;
  /** The status code and the headers of the same data where the record is a new one; left out where they are the same. */
  readonly created?: Required<Pick<EnvelopedAnswer, 'statusCode' | 'headers'>>;
}

/** The keys of a pagination object. */
export interface PagingDescription {
  /** True if `number_results` is there. */
  readonly counts: boolean;
  /** False if an answer may be no page, and have none of the keys. Default true. */
  readonly isSure?: boolean;
  /** True if some answers are not counted, and go on with `start`. Default false. */
  readonly isVaried?: boolean;
  /** The key in `next_page`, and what it holds. */
  readonly next: { readonly word: string; readonly schema: JsonSchema };
}

/** An answer outside of the envelope. */
export interface RawAnswerDescription {
  readonly kind: 'raw';
  /** Schemas by media type, e.g. `text/plain`. */
  readonly content: Readonly<Record<string, JsonSchema>>;
  /** True if a `Content-Type` of `responseHeaders` is its own. Default false. */
  readonly takesType?: boolean;
  /** Default 200. */
  readonly statusCode?: number;
  /** Headers that tell something of it, by name. Default none. */
  readonly headers?: Readonly<Record<string, HeaderDescription>>;
}
