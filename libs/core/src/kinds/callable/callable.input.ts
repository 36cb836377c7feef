import type { KindContext } from '../../endpoint/kind.context.js';
import type { EndpointRequest } from '../../endpoint/request/endpoint.request.js';
import { inputSchemaOf, type InputSchemaSource } from '../../request/schemas/input.schema.js';
import type { InputSchema, SchemaReading } from '../../request/schemas/schema.reading.js';
import type { Model } from '../../model/model.js';
import { ConfigurationError } from '../../wire/configuration.error.js';
import type { NameTable } from '../../wire/name.table.js';
import { BadRequest, InvalidInput, type Refusal } from '../../wire/refusals.js';
import { InputJudge, messagesFrom } from '../write/input.judge.js';
import type { PageWords } from './page.words.js';
import { QueryInput } from './query.input.js';
import { TextForcing } from './text.forcing.js';

/** The options that say what a function of the user's may be sent. */
export interface CallableInputSource {
  readonly writeableColumnNames?: readonly string[] | undefined;
  readonly transformInputTypes?: boolean | undefined;
  readonly inputValidationCallable?: ((context: never) => unknown) | undefined;
  readonly inputSchema?: InputSchemaSource | undefined;
  readonly pathSchema?: InputSchemaSource | undefined;
  readonly querySchema?: InputSchemaSource | undefined;
}

type Members = Readonly<Record<string, unknown>>;

/** The result of the input rules for a request. */
export interface CallableInput {
  readonly requestData: unknown;
  /** The path parameters by name. */
  readonly path: Members;
  readonly query: unknown;
}

type BodyReader = (request: EndpointRequest) => Promise<unknown>;

/** Reads and judges what a function of the user's is called with. Made once per endpoint. */
export class CallableInputReader {
  readonly #path: InputSchema | undefined;
  readonly #query: QueryInput | undefined;
  readonly #body: BodyReader;
  readonly #custom: ((context: never) => unknown) | undefined;
  readonly #forcing: TextForcing;
  readonly #names: NameTable;

  /** @throws ConfigurationError for rules that contradict each other */
  constructor(
    context: KindContext,
    model: Model | undefined,
    options: CallableInputSource,
    pageWords: PageWords,
  ) {
    const { owner, names } = context;
    this.#names = names;
    const {
      pathSchema,
      querySchema,
      inputSchema,
      writeableColumnNames,
      transformInputTypes = false,
    } = options;
    this.#forcing = new TextForcing(context, transformInputTypes ? model : undefined);
    // All that comes in a path is text.
    this.#path = pathSchema === undefined ? undefined : inputSchemaOf(owner, 'pathSchema', pathSchema, true);
    this.#query = querySchema === undefined ? undefined : new QueryInput(owner, querySchema, pageWords.taken);
    if (inputSchema !== undefined && writeableColumnNames !== undefined)
      throw new ConfigurationError(
        owner,
        'inputSchema',
        'writeableColumnNames says what may be sent already',
      );
    if (writeableColumnNames !== undefined) {
      this.#body = bodyOfModel(context, model, { ...options, writeableColumnNames });
      return;
    }
    this.#custom = options.inputValidationCallable;
    this.#body =
      inputSchema === undefined
        ? plainBody(this.#forcing)
        : bodyBySchema(inputSchemaOf(owner, 'inputSchema', inputSchema, transformInputTypes), this.#forcing);
  }

  /** @throws BadRequest, InvalidInput before anything of it reaches the function */
  async read(request: EndpointRequest): Promise<CallableInput> {
    const complaints = new Map<string, string>();
    const path = await this.#pathOf(request, complaints);
    const query = await this.#queryOf(request, complaints);
    if (complaints.size > 0) throw refusalOf(complaints);
    const requestData = await this.#body(request);
    if (this.#custom !== undefined) await this.#ask(this.#custom, request, requestData);
    return { requestData, path, query };
  }

  async #pathOf({ routingData }: EndpointRequest, complaints: Map<string, string>): Promise<Members> {
    if (this.#path === undefined) return this.#forcing.path(routingData, complaints);
    const value = valueOf(await this.#path.read(this.#forcing.path(routingData)), complaints);
    return { ...routingData, ...(Object(value) as Members) };
  }

  async #queryOf(request: EndpointRequest, complaints: Map<string, string>): Promise<unknown> {
    if (this.#query === undefined)
      return this.#forcing.members(Object.fromEntries(request.lastQueryParameters), complaints);
    const forced = (members: Members): Members => this.#forcing.members(members);
    return valueOf(await this.#query.read(request.queryLists, forced), complaints);
  }

  async #ask(
    custom: (context: never) => unknown,
    request: EndpointRequest,
    requestData: unknown,
  ): Promise<void> {
    await request.enterDatabase();
    const context = request.context({ requestData: requestData ?? {}, record: undefined });
    const messages = Object.entries(messagesFrom(await custom(context as never)));
    if (messages.length > 0)
      throw new InvalidInput(
        new Map(messages.map(([name, message]) => [this.#names.outward(name), message])),
      );
  }
}

/** A body of columns, judged as that of a Create; its names become internal ones. */
function bodyOfModel(
  context: KindContext,
  model: Model | undefined,
  options: CallableInputSource & { readonly writeableColumnNames: readonly string[] },
): BodyReader {
  if (model === undefined)
    throw new ConfigurationError(context.owner, 'writeableColumnNames', 'modelClass says whose columns');
  const judge = new InputJudge(context, model, options, false);
  return async (request) => {
    const input = judge.read(request.requiredJsonObject(), request);
    await judge.judge(request, input);
    return input.requestData();
  };
}

/** A body without rules: whatever object was sent, or null. */
function plainBody(forcing: TextForcing): BodyReader {
  return (request) => {
    const members = request.jsonObject();
    if (members === undefined) return Promise.resolve(null);
    const complaints = new Map<string, string>();
    const forced = forcing.members(Object.fromEntries(members), complaints);
    return complaints.size > 0 ? Promise.reject(refusalOf(complaints)) : Promise.resolve(forced);
  };
}

function bodyBySchema(schema: InputSchema, forcing: TextForcing): BodyReader {
  return async (request) => {
    const complaints = new Map<string, string>();
    const members = forcing.members(Object.fromEntries(request.requiredJsonObject()));
    const value = valueOf(await schema.read(members), complaints);
    if (complaints.size > 0) throw refusalOf(complaints);
    return value;
  };
}

/**
 * Makes the refusal of an input. A complaint about the input as a whole has no name; alone it is the sentence of the
 * answer.
 */
function refusalOf(complaints: ReadonlyMap<string, string>): Refusal {
  const whole = complaints.get('');
  return whole !== undefined && complaints.size === 1 ? new BadRequest(whole) : new InvalidInput(complaints);
}

function valueOf(reading: SchemaReading, complaints: Map<string, string>): unknown {
  if ('value' in reading) return reading.value;
  for (const [name, message] of reading.complaints) complaints.set(name, message);
  return undefined;
}
