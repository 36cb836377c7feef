import type {
  AnswerDescription,
  HeaderDescription,
  OperationDescription,
} from '../endpoint/description/operation.description.js';
import { answerPlace } from '../endpoint/answers/answer.place.js';
import type { Answers, AnswerPlace, AnswerSchemas } from '../endpoint/answers/answers.js';
import type { JsonSchema } from '../model/json.schema.js';
import type { AnswerFormat } from '../wire/answer.format.js';
import type { Casing } from '../wire/casing.js';
import { outcomes, type Outcome } from '../wire/outcome.table.js';
import type { OpenApiObject } from '../endpoint/description/open.api.js';
import { sampleOf } from '../model/samples/sample.value.js';
import { retryAfter } from './limit.descriptions.js';
import { refusedSample } from './refused.sample.js';
import type { SchemaCatalogue, SchemaPlace } from './schema.catalogue.js';

type HeaderDescriptions = Readonly<Record<string, HeaderDescription>>;

type RefusedOutcome = Exclude<Outcome, 'success' | 'created'>;

/** The texts of each refusal in documents: a sentence, and the `error` that an answer has. */
const refusals = {
  badRequest: ['The request cannot be understood.', 'The request body is not valid JSON'],
  invalidInput: ['Values are refused.', ''],
  notAuthenticated: ['The request proves no identity.', 'Not Authenticated'],
  notAuthorized: ['The identity may not do this.', 'Not Authorized'],
  notFound: ['There is no such record.', 'Not Found'],
  conflict: ['Other records stand against it.', 'The record is still in use'],
  gone: ['The operation is no longer there.', 'Gone'],
  tooManyRequests: ['A limit is reached.', 'Too Many Requests'],
  preconditionFailed: ['The record is in another version than `If-Match` names.', 'Precondition Failed'],
  requestTimeout: ['The body has not come in time.', 'Request Timeout'],
  contentTooLarge: ['The body is too large.', 'The request body must not be larger than 1048576 bytes'],
  unsupportedMediaType: [
    'The body is not JSON in UTF-8.',
    'The content type of the request body must be application/json',
  ],
  preconditionRequired: ['`If-Match` must name the version to change.', 'Precondition Required'],
  failure: ['Something unforeseen. The log has the rest under the id.', 'Internal Server Error'],
  unavailable: ['The service is out of reach for now.', 'Service Unavailable'],
} as const satisfies Record<RefusedOutcome, readonly [description: string, error: string]>;

const text: OpenApiObject = { type: 'string' };

/** Headers that belong to a refusal. */
const headersOf: Readonly<Partial<Record<RefusedOutcome, HeaderDescriptions>>> = {
  notAuthenticated: { 'WWW-Authenticate': { description: 'The scheme to prove an identity by.' } },
  failure: { 'X-Request-Id': { description: 'Under which the log has the reason.' } },
  tooManyRequests: { 'Retry-After': retryAfter },
  unavailable: { 'Retry-After': retryAfter },
};

const notModified = 304;

const anyAnswer: OpenApiObject = {
  description: 'Any other answer.',
  content: { '*/*': { schema: {} } },
};

/** The bodies of one media type. */
interface Content {
  readonly schemas: JsonSchema[];
  readonly examples: Record<string, { readonly value: unknown }>;
}

/** The meaning of one status code. */
interface Response {
  readonly descriptions: string[];
  /** The bodies by media type. */
  readonly contents: Map<string, Content>;
  readonly headers: Record<string, unknown>;
}

/** The answers that an operation may give, by status code. */
export class ResponseWriter {
  readonly #schemas: AnswerSchemas;
  readonly #format: AnswerFormat;
  readonly #place: AnswerPlace;

  /** @param inputErrorsStatus the status code of input errors in the application */
  constructor(
    answers: Answers,
    casing: Casing,
    private readonly catalogue: SchemaCatalogue,
    private readonly inputErrorsStatus: number,
  ) {
    this.#place = answerPlace(casing);
    this.#schemas = answers.schemas(this.#place);
    this.#format = answers.format(this.#place);
  }

  /**
   * @param refused what the operation may be refused for
   * @param limited the headers that its answers tell of limits by
   */
  write(
    description: OperationDescription,
    refused: ReadonlySet<Outcome>,
    place: SchemaPlace,
    limited: HeaderDescriptions,
  ): Readonly<Record<string, OpenApiObject>> {
    const answer = beside(description.answer, limited);
    const { isConditional = false, refusals: others, runsCallables = false } = description;
    const responses: Record<string, OpenApiObject> = {};
    const written = new Map<number, Response>();
    const status = answer.statusCode ?? outcomes.success.statusCode;
    if (answer.kind === 'raw') responses[status] = this.#raw(answer, place);
    else this.#addSuccesses(written, status, answer);
    for (const [mediaType, schema] of Object.entries(description.representations ?? {}))
      responseOf(written, status).contents.set(mediaType, { schemas: [schema], examples: {} });
    if (isConditional) responses[notModified] = unchanged(answer);
    for (const outcome of Object.keys(refusals) as RefusedOutcome[])
      if (refused.has(outcome))
        this.#addRefusal(responseOf(written, this.#statusOf(outcome)), outcome, description);
    if (refused.has('tooManyRequests'))
      Object.assign(
        responseOf(written, this.#statusOf('tooManyRequests')).headers,
        headersIn({ headers: limited }),
      );
    for (const [code, response] of written)
      responses[code] = { ...responses[code], ...this.#written(response, place) };
    if (others === 'any') return { ...responses, default: anyAnswer };
    return runsCallables ? { ...responses, default: this.#byCallables(place) } : responses;
  }

  #addSuccesses(
    written: Map<number, Response>,
    status: number,
    answer: Extract<AnswerDescription, { kind: 'envelope' }>,
  ): void {
    this.#addSuccess(responseOf(written, status), answer);
    const { created } = answer;
    if (created === undefined) return;
    this.#addSuccess(responseOf(written, created.statusCode), { ...answer, ...created });
  }

  #statusOf(outcome: RefusedOutcome): number {
    return outcome === 'invalidInput' ? this.inputErrorsStatus : outcomes[outcome].statusCode;
  }

  #raw(answer: Extract<AnswerDescription, { kind: 'raw' }>, place: SchemaPlace): OpenApiObject {
    const entries = Object.entries(answer.content).map(([mediaType, schema]) => {
      const example = sampleOf(schema);
      const shown = example === undefined ? {} : { example };
      return [mediaType, { schema: this.catalogue.written(schema, place), ...shown }];
    });
    const headers = headersIn(answer);
    const told = Object.keys(headers).length === 0 ? {} : { headers };
    return { description: 'The answer.', ...told, content: Object.fromEntries(entries) as unknown };
  }

  #addSuccess(response: Response, answer: Extract<AnswerDescription, { kind: 'envelope' }>): void {
    const schema = this.#schemas.success(answer);
    const { paging } = answer;
    const paged = paging === undefined ? {} : this.#schemas.pageHeaders?.(paging);
    const content = contentOf(response, this.#format.contentType);
    response.descriptions.push('Success.');
    Object.assign(response.headers, headersIn({ headers: { ...paged, ...answer.headers } }));
    content.schemas.push(schema);
    const value = sampleOf(schema);
    if (value !== undefined) content.examples[this.#place.word('success')] = { value };
  }

  #addRefusal(response: Response, outcome: RefusedOutcome, asked: OperationDescription): void {
    const { status } = outcomes[outcome];
    const [description, message] = refusals[outcome];
    const content = contentOf(response, this.#format.refusalType);
    response.descriptions.push(description);
    content.schemas.push(this.#schemas.refusals[status]);
    Object.assign(response.headers, headersIn({ headers: headersOf[outcome] ?? {} }));
    const inputErrors = new Map(outcome === 'invalidInput' ? [refusedSample(asked)] : []);
    const facts = { statusCode: this.#statusOf(outcome), status, message, inputErrors, hasWholeNames: true };
    const value = jsonOr(this.#format.refusal(facts));
    content.examples[this.#place.word(status)] = { value };
  }

  #written({ descriptions, contents, headers }: Response, place: SchemaPlace): OpenApiObject {
    return {
      description: descriptions.join(' '),
      ...(Object.keys(headers).length === 0 ? {} : { headers }),
      content: this.#contentsIn(contents, place),
    };
  }

  #contentsIn(contents: Response['contents'], place: SchemaPlace): OpenApiObject {
    const entries = [...contents].map(([mediaType, { schemas, examples }]) => {
      const written = schemas.map((schema) => this.catalogue.written(schema, place));
      const [only] = written;
      const schema = written.length === 1 ? only : { anyOf: written };
      return [mediaType, { schema, ...(Object.keys(examples).length === 0 ? {} : { examples }) }];
    });
    return Object.fromEntries(entries) as OpenApiObject;
  }

  /** Functions of the user's may throw exceptions of Nest, which keep their status. */
  #byCallables(place: SchemaPlace): OpenApiObject {
    const { contentType, refusalType } = this.#format;
    const { client_error, input_errors, failure } = this.#schemas.refusals;
    const response = newResponse();
    contentOf(response, refusalType).schemas.push(...new Set([client_error, input_errors, failure]));
    contentOf(response, contentType).schemas.push(this.#schemas.early);
    response.descriptions.push('What functions of the service itself refuse, or answer early.');
    return this.#written(response, place);
  }
}

/** Gives the answer with other headers beside its own, where the record is a new one, too. */
function beside<A extends AnswerDescription>(answer: A, others: HeaderDescriptions): A {
  const headers = { ...answer.headers, ...others };
  if (answer.kind === 'raw' || answer.created === undefined) return { ...answer, headers };
  const { created } = answer;
  return { ...answer, headers, created: { ...created, headers: { ...created.headers, ...others } } };
}

/** Without content, because it has no body (RFC 9110, 15.4.5). */
function unchanged(answer: AnswerDescription): OpenApiObject {
  return { description: 'The client has this answer already.', headers: headersIn(answer) };
}

function headersIn({ headers = {} }: Pick<AnswerDescription, 'headers'>): OpenApiObject {
  const entries = Object.entries(headers).map(([name, { description, schema = text }]) => [
    name,
    { description, schema },
  ]);
  return Object.fromEntries(entries) as OpenApiObject;
}

function responseOf(responses: Map<number, Response>, status: number): Response {
  const response = responses.get(status) ?? newResponse();
  responses.set(status, response);
  return response;
}

function newResponse(): Response {
  return { descriptions: [], contents: new Map(), headers: {} };
}

/** The bodies of a content type; documents name media types without parameters. */
function contentOf({ contents }: Response, contentType: string): Content {
  const mediaType = (contentType.split(';')[0] ?? '').trim().toLowerCase();
  const content = contents.get(mediaType) ?? { schemas: [], examples: {} };
  contents.set(mediaType, content);
  return content;
}

/** The value of JSON text; a format of the user's own may write something else. */
function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
