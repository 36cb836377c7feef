import type {
  AnswerDescription,
  OperationDescription,
} from '../endpoint/description/operation.description.js';
import type { JsonSchema } from '../model/json.schema.js';
import { recase, type Casing } from '../wire/casing.js';
import { EnvelopeWriter } from '../wire/envelope.writer.js';
import { outcomes, type Outcome } from '../wire/outcome.table.js';
import { EnvelopeSchemas } from './envelope.schemas.js';
import type { OpenApiObject } from '../endpoint/description/open.api.js';
import { sampleOf } from './sample.value.js';
import type { SchemaCatalogue, SchemaPlace } from './schema.catalogue.js';

type RefusedOutcome = Exclude<Outcome, 'success' | 'created'>;

/** The texts of each refusal in documents: a sentence, and the `error` that an answer has. */
const refusals = {
  badRequest: ['The request cannot be understood.', 'The request body is not valid JSON'],
  invalidInput: ['Values are refused.', ''],
  notAuthenticated: ['The request proves no identity.', 'Not Authenticated'],
  notAuthorized: ['The identity may not do this.', 'Not Authorized'],
  notFound: ['There is no such record.', 'Not Found'],
  conflict: ['Other records stand against it.', 'The record is still in use'],
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
const headersOf: Readonly<Partial<Record<RefusedOutcome, OpenApiObject>>> = {
  notAuthenticated: {
    'WWW-Authenticate': { description: 'The scheme to prove an identity by.', schema: text },
  },
  failure: { 'X-Request-Id': { description: 'Under which the log has the reason.', schema: text } },
  unavailable: {
    'Retry-After': { description: 'Seconds to wait before another try.', schema: { type: 'integer' } },
  },
};

const notModified = 304;

const anyAnswer: OpenApiObject = {
  description: 'Any other answer.',
  content: { '*/*': { schema: {} } },
};

/** The meaning of one status code. */
interface Response {
  readonly descriptions: string[];
  readonly schemas: JsonSchema[];
  readonly examples: Record<string, { readonly value: unknown }>;
  readonly headers: Record<string, unknown>;
}

/** The answers that an operation may give, by status code. */
export class ResponseWriter {
  readonly #schemas: EnvelopeSchemas;
  readonly #envelope: EnvelopeWriter;

  /** @param inputErrorsStatus the status code of input errors in the application */
  constructor(
    private readonly casing: Casing,
    private readonly catalogue: SchemaCatalogue,
    private readonly inputErrorsStatus: number,
  ) {
    this.#schemas = new EnvelopeSchemas(casing);
    this.#envelope = new EnvelopeWriter(casing);
  }

  /** @param refused what the operation may be refused for */
  write(
    { answer, isConditional = false, refusals: others, runsCallables = false }: OperationDescription,
    refused: ReadonlySet<Outcome>,
    place: SchemaPlace,
  ): Readonly<Record<string, OpenApiObject>> {
    const responses: Record<string, OpenApiObject> = {};
    const enveloped = new Map<number, Response>();
    const status = answer.statusCode ?? outcomes.success.statusCode;
    if (answer.kind === 'raw') responses[status] = this.#raw(answer, place);
    else this.#addSuccess(responseOf(enveloped, status), answer);
    if (isConditional) responses[notModified] = unchanged(answer);
    for (const outcome of Object.keys(refusals) as RefusedOutcome[])
      if (refused.has(outcome)) this.#addRefusal(responseOf(enveloped, this.#statusOf(outcome)), outcome);
    for (const [code, response] of enveloped)
      responses[code] = { ...responses[code], ...this.#written(response, place) };
    if (others === 'any') return { ...responses, default: anyAnswer };
    return runsCallables ? { ...responses, default: this.#byCallables(place) } : responses;
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
    const headers = answer.headers === undefined ? {} : { headers: headersIn(answer) };
    return { description: 'The answer.', ...headers, content: Object.fromEntries(entries) as unknown };
  }

  #addSuccess(response: Response, answer: Extract<AnswerDescription, { kind: 'envelope' }>): void {
    const schema = this.#schemas.success(answer);
    response.descriptions.push('Success.');
    Object.assign(response.headers, headersIn(answer));
    response.schemas.push(schema);
    const value = sampleOf(schema);
    if (value !== undefined) response.examples[this.#word('success')] = { value };
  }

  #addRefusal(response: Response, outcome: RefusedOutcome): void {
    const { status } = outcomes[outcome];
    const [description, message] = refusals[outcome];
    const schema = this.#schemas.refusals[status];
    response.descriptions.push(description);
    response.schemas.push(schema);
    Object.assign(response.headers, headersOf[outcome]);
    const inputErrors = new Map(outcome === 'invalidInput' ? [['name', "'name' is required."]] : []);
    const value: unknown = JSON.parse(this.#envelope.refusal({ status, message, inputErrors }));
    response.examples[this.#word(status)] = { value };
  }

  #written({ descriptions, schemas, examples, headers }: Response, place: SchemaPlace): OpenApiObject {
    const written = schemas.map((schema) => this.catalogue.written(schema, place));
    const [only] = written;
    const schema = written.length === 1 ? only : { anyOf: written };
    const shown = Object.keys(examples).length === 0 ? {} : { examples };
    return {
      description: descriptions.join(' '),
      ...(Object.keys(headers).length === 0 ? {} : { headers }),
      content: { 'application/json': { schema, ...shown } },
    };
  }

  /** Functions of the user's may throw exceptions of Nest, which keep their status inside the envelope. */
  #byCallables(place: SchemaPlace): OpenApiObject {
    const { client_error, input_errors, failure } = this.#schemas.refusals;
    const early = this.#schemas.early;
    const anyOf = [client_error, input_errors, failure, early].map((schema) =>
      this.catalogue.written(schema, place),
    );
    return {
      description: 'What functions of the service itself refuse, or answer early.',
      content: { 'application/json': { schema: { anyOf } } },
    };
  }

  #word(name: string): string {
    return recase(name, 'snake_case', this.casing);
  }
}

/** Without content, because it has no body (RFC 9110, 15.4.5). */
function unchanged(answer: AnswerDescription): OpenApiObject {
  return { description: 'The client has this answer already.', headers: headersIn(answer) };
}

function headersIn(answer: AnswerDescription): OpenApiObject {
  const entries = Object.entries(answer.headers ?? {}).map(([name, { description, schema = text }]) => [
    name,
    { description, schema },
  ]);
  return Object.fromEntries(entries) as OpenApiObject;
}

function responseOf(responses: Map<number, Response>, status: number): Response {
  const known = responses.get(status);
  if (known !== undefined) return known;
  const response: Response = { descriptions: [], schemas: [], examples: {}, headers: {} };
  responses.set(status, response);
  return response;
}
