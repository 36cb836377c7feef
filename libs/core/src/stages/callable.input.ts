import type { Compilation } from '../endpoint/compilation.js';
import type { EndpointRequest } from '../endpoint/endpoint.request.js';
import { inputSchemaOf, type InputSchemaSource } from '../input/schemas/input.schema.js';
import type { InputSchema } from '../input/schemas/schema.reading.js';
import { typeComplaint } from '../model/column.js';
import type { Model } from '../model/model.js';
import { ConfigurationError } from '../wire/configuration.error.js';
import { BadRequest, InvalidInput, type Refusal } from '../wire/refusals.js';
import { InputJudge, messagesFrom } from './input.judge.js';

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

/** What the input rules made of a request. */
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
  readonly #query: InputSchema | undefined;
  readonly #body: BodyReader;
  readonly #custom: ((context: never) => unknown) | undefined;

  /** @throws ConfigurationError for rules that contradict each other */
  constructor(
    private readonly compilation: Compilation,
    private readonly model: Model | undefined,
    private readonly options: CallableInputSource,
  ) {
    const { owner } = compilation;
    const { inputSchema, writeableColumnNames, transformInputTypes: forcesText = false } = options;
    const schema = (option: 'pathSchema' | 'querySchema' | 'inputSchema'): InputSchema | undefined => {
      const source = options[option];
      // All that comes in a path or a query string is text.
      const isText = option !== 'inputSchema';
      return source === undefined ? undefined : inputSchemaOf(owner, option, source, isText || forcesText);
    };
    this.#path = schema('pathSchema');
    this.#query = schema('querySchema');
    if (inputSchema !== undefined && writeableColumnNames !== undefined)
      throw new ConfigurationError(
        owner,
        'inputSchema',
        'writeableColumnNames says what may be sent already',
      );
    if (writeableColumnNames !== undefined) {
      this.#body = bodyOfModel(compilation, model, { ...options, writeableColumnNames });
      return;
    }
    this.#custom = options.inputValidationCallable;
    this.#body = bodyBySchema(schema('inputSchema'));
  }

  /** @throws BadRequest, InvalidInput before anything of it reaches the function */
  async read(request: EndpointRequest): Promise<CallableInput> {
    const complaints = new Map<string, string>();
    const path = await this.#pathOf(request, complaints);
    const query = await judged(this.#query, Object.fromEntries(request.queryParameters), complaints);
    if (complaints.size > 0) throw refusalOf(complaints);
    const requestData = await this.#body(request);
    if (this.#custom !== undefined) await this.#ask(this.#custom, request, requestData);
    return { requestData, path, query };
  }

  async #pathOf({ routingData }: EndpointRequest, complaints: Map<string, string>): Promise<Members> {
    if (this.#path !== undefined) {
      const value = await judged(this.#path, routingData, complaints);
      return { ...routingData, ...(Object(value) as Members) };
    }
    if (this.options.transformInputTypes !== true || this.model === undefined) return routingData;
    const { columns } = this.model;
    const forced = Object.entries(routingData).map(([name, text]): [string, unknown] => {
      const column = columns.get(name);
      if (column === undefined) return [name, text];
      const value = column.type.forcesText ? column.type.fromText(text) : text;
      const complaint = typeComplaint(column, value);
      if (complaint !== undefined) complaints.set(name, complaint);
      return [name, value];
    });
    return Object.fromEntries(forced);
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
        new Map(messages.map(([name, message]) => [this.compilation.names.outward(name), message])),
      );
  }
}

/** A body of columns, judged as that of a Create; its names become internal ones. */
function bodyOfModel(
  compilation: Compilation,
  model: Model | undefined,
  options: CallableInputSource & { readonly writeableColumnNames: readonly string[] },
): BodyReader {
  if (model === undefined)
    throw new ConfigurationError(compilation.owner, 'writeableColumnNames', 'modelClass says whose columns');
  const judge = new InputJudge(compilation, model, options, false);
  return async (request) => {
    const input = judge.read(request.requiredJsonObject(), request);
    await judge.judge(request, input);
    return input.requestData();
  };
}

function bodyBySchema(schema: InputSchema | undefined): BodyReader {
  if (schema === undefined)
    return (request) => {
      const members = request.jsonObject();
      return Promise.resolve(members === undefined ? null : Object.fromEntries(members));
    };
  return async (request) => {
    const complaints = new Map<string, string>();
    const value = await judged(schema, Object.fromEntries(request.requiredJsonObject()), complaints);
    if (complaints.size > 0) throw refusalOf(complaints);
    return value;
  };
}

/** What is wrong with the input as a whole has no name; alone it is the sentence of the answer. */
function refusalOf(complaints: ReadonlyMap<string, string>): Refusal {
  const whole = complaints.get('');
  return whole !== undefined && complaints.size === 1 ? new BadRequest(whole) : new InvalidInput(complaints);
}

async function judged(
  schema: InputSchema | undefined,
  members: Members,
  complaints: Map<string, string>,
): Promise<unknown> {
  if (schema === undefined) return members;
  const reading = await schema.read(members);
  if ('value' in reading) return reading.value;
  for (const [name, message] of reading.complaints) complaints.set(name, message);
  return undefined;
}
