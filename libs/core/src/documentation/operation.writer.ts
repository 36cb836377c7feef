import { Public } from '../access/authentication.js';
import type { Answers } from '../endpoint/answers/answers.js';
import type { HttpMethod } from '../endpoint/http.method.js';
import type { OperationDescription } from '../endpoint/description/operation.description.js';
import type { RootOptions, InheritedSettings } from '../endpoint/options/settings.js';
import type { JsonSchema } from '../model/json.schema.js';
import { sampleOf } from '../model/samples/sample.value.js';
import type { RouteLeaf } from '../routing/route.tree.js';
import type { Casing } from '../wire/casing.js';
import { outcomes, type Outcome } from '../wire/outcome.table.js';
import { ofGivenType } from './given.media.type.js';
import { limitDescriptions } from './limit.descriptions.js';
import { NameRegister } from './name.register.js';
import type {
  DocumentedOperation,
  OpenApiObject,
  ParameterObject,
} from '../endpoint/description/open.api.js';
import { operationIdOf, wordsOf } from './operation.names.js';
import { OperationTwin, showsBody } from './operation.twin.js';
import { ResponseWriter } from './response.writer.js';
import type { SchemaCatalogue, SchemaPlace } from './schema.catalogue.js';
import type { TaggedEndpoint, TagRegister } from './tag.register.js';

/** An endpoint in its place, with what it says of itself. */
export interface DescribedEndpoint extends TaggedEndpoint {
  readonly description: OperationDescription;
}

/** The refusals that any endpoint may give: a malformed query string, a fault, a database out of reach. */
const refusedAnywhere: readonly Outcome[] = ['badRequest', 'failure', 'unavailable'];

const text: JsonSchema = { type: 'string', minLength: 1 };

/** In a query string, the members of an object are parameters of their own (OpenAPI: Parameter Object, `form`). */
const anyParameter: ParameterObject = {
  name: 'parameters',
  in: 'query',
  required: false,
  schema: { type: 'object', additionalProperties: { type: 'string' } },
};

/** A list whose entries stand in one text, with commas between them (OpenAPI: Parameter Object, Style Values): an empty text is no list. */
const inOneText = { style: 'form', explode: false } as const;

/** Makes OpenAPI's operations of descriptions. One for all endpoints of an application, so that names tell apart. */
export class OperationWriter {
  readonly #ids = new NameRegister<symbol>();
  readonly #schemes = new NameRegister<OpenApiObject>();
  readonly #responses = new Map<Answers, Map<Casing, ResponseWriter>>();

  constructor(
    private readonly catalogue: SchemaCatalogue,
    private readonly tags: TagRegister,
    private readonly root: RootOptions,
  ) {}

  /** The security schemes that operations refer to. */
  get securitySchemes(): ReadonlyMap<string, OpenApiObject> {
    return this.#schemes.entries;
  }

  /** The names that authentications gave them, by those that operations refer to. */
  get securityNames(): ReadonlyMap<string, string> {
    return this.#schemes.wanted;
  }

  write(described: DescribedEndpoint, method: HttpMethod): DocumentedOperation {
    const { leaf, settings, description } = described;
    const { endpoint, pattern } = leaf;
    const { summary = description.summary, description: text } = endpoint.options;
    const twin = OperationTwin.at(method, endpoint.requestMethods, description);
    const usual = description.description ?? `${summary}.`;
    const place = { owner: `${endpoint.kind} '${pattern.text}'`, hint: wordsOf(pattern) };
    const { verb } = description;
    const { besideBody = description.queryParameters ?? {} } = description;
    const asked = showsBody(description, method)
      ? { ...description, queryParameters: besideBody }
      : description;
    const id = operationIdOf(leaf, method, verb);
    const runsCallables = description.runsCallables === true || runsOthers(leaf, settings);
    return {
      operationId: this.#ids.nameOf(Symbol(id), id, ''),
      summary,
      description: withReason(text ?? twin?.describe(usual) ?? usual, settings),
      tags: [this.tags.nameOf(described)],
      parameters: this.#parameters(leaf, asked, place),
      ...this.#body(description, method, place),
      responses: this.#responsesOf(settings).write(
        { ...description, runsCallables, answer: ofGivenType(description.answer, settings) },
        refusalsOf(leaf, settings, { ...description, runsCallables }, this.root),
        place,
        limitDescriptions(settings.limits),
      ),
      security: this.#security(settings),
      ...twin?.extension,
      ...deprecationOf(settings),
      ...meaningOf(described),
    };
  }

  #parameters(
    { pattern }: RouteLeaf,
    {
      pathParameters = {},
      queryParameters = {},
      takesAnyParameter = queryParameters === 'any',
      listParameters = [],
      requiredParameters = [],
      headerParameters = {},
    }: OperationDescription,
    place: SchemaPlace,
  ): ParameterObject[] {
    const path = pattern.parameterNames.map((name) => [name, pathParameters[name] ?? text] as const);
    const written = (schema: JsonSchema): OpenApiObject => this.catalogue.written(schema, place);
    const query = queryParameters === 'any' ? {} : queryParameters;
    return [
      ...path.map(([name, schema]) => parameter(name, 'path', written(schema), true)),
      ...Object.entries(query).map(([name, schema]) => ({
        ...parameter(
          name,
          'query',
          written(listParameters.includes(name) ? { minItems: 1, ...schema } : schema),
          requiredParameters.includes(name),
        ),
        ...(listParameters.includes(name) ? inOneText : {}),
      })),
      ...(takesAnyParameter ? [anyParameter] : []),
      ...Object.entries(headerParameters).map(([name, { description, schema = text, isRequired = false }]) =>
        parameter(name, 'header', { ...written(schema), description }, isRequired),
      ),
    ];
  }

  #body(
    description: OperationDescription,
    method: HttpMethod,
    place: SchemaPlace,
  ): Pick<DocumentedOperation, 'requestBody'> {
    const { body } = description;
    if (body === undefined || !showsBody(description, method)) return {};
    if (body.content !== undefined) {
      const entries = Object.entries(body.content).map(([mediaType, schema]) => [
        mediaType,
        { schema: this.catalogue.written(schema, place) },
      ]);
      return {
        requestBody: { required: body.isRequired, content: Object.fromEntries(entries) as OpenApiObject },
      };
    }
    const schema = this.catalogue.written(body.schema, place);
    const example = sampleOf(body.schema);
    const shown = example === undefined ? {} : { example };
    return {
      requestBody: { required: body.isRequired, content: { 'application/json': { schema, ...shown } } },
    };
  }

  #responsesOf({ answers, externalCasing: casing }: InheritedSettings): ResponseWriter {
    const inputErrorsStatus = this.root.inputErrorsStatus ?? outcomes.invalidInput.statusCode;
    const writers = this.#responses.get(answers) ?? new Map<Casing, ResponseWriter>();
    this.#responses.set(answers, writers);
    const writer =
      writers.get(casing) ?? new ResponseWriter(answers, casing, this.catalogue, inputErrorsStatus);
    writers.set(casing, writer);
    return writer;
  }

  #security({ authentication: { securityScheme } }: InheritedSettings): DocumentedOperation['security'] {
    if (securityScheme === undefined) return [];
    const { name, scheme, scopes = [] } = securityScheme;
    return [{ [this.#schemes.nameOf(scheme, name, '')]: scopes }];
  }
}

function parameter(
  name: string,
  where: ParameterObject['in'],
  schema: OpenApiObject,
  required: boolean,
): ParameterObject {
  const { description, ...rest } = schema;
  return {
    name,
    in: where,
    required,
    ...(typeof description === 'string' ? { description } : {}),
    schema: rest,
  };
}

function withReason(description: string, { deprecation }: InheritedSettings): string {
  const { reason } = deprecation?.options ?? {};
  return reason === undefined ? description : `${description}\n\nDeprecated: ${reason}`;
}

function deprecationOf({
  deprecation,
}: InheritedSettings): Pick<DocumentedOperation, 'deprecated' | 'x-sunset'> {
  if (deprecation === undefined) return {};
  const { sunset } = deprecation;
  return { deprecated: true, ...(sunset === undefined ? {} : { 'x-sunset': sunset }) };
}

/** Programs tell by it what an operation does with which records: ids and tags of operations are texts for people. */
function meaningOf({ modelName, description }: DescribedEndpoint): Pick<DocumentedOperation, 'x-endpoint'> {
  return modelName === undefined ? {} : { 'x-endpoint': { verb: description.verb, model: modelName } };
}

/** Guards and interceptors of the user's may refuse for reasons of their own. */
function runsOthers({ endpoint }: RouteLeaf, { responseHeaders }: InheritedSettings): boolean {
  const { guards = [], interceptors = [], decorators = [] } = endpoint.options;
  return (
    [guards, interceptors, decorators].some(({ length }) => length > 0) ||
    typeof responseHeaders === 'function'
  );
}

function refusalsOf(
  { endpoint, pattern }: RouteLeaf,
  { authentication, authorizations, deprecation, limits }: InheritedSettings,
  { refusals = [], runsCallables = false }: OperationDescription,
  root: RootOptions,
): ReadonlySet<Outcome> {
  const refused = new Set<Outcome>([
    ...refusedAnywhere,
    ...(refusals === 'any' ? (['invalidInput'] as const) : refusals),
  ]);
  if (!(authentication instanceof Public)) refused.add('notAuthenticated');
  if (authorizations.length > 0 || root.rowLevelSecurity !== undefined) refused.add('notAuthorized');
  if (root.schemaOf !== undefined && !(authentication instanceof Public)) refused.add('notAuthorized');
  if (runsCallables) refused.add('invalidInput');
  if (limits.length > 0) refused.add('tooManyRequests');
  if (deprecation?.endsAtSunset === true) refused.add('gone');
  if (endpoint.readsBody) refused.add('requestTimeout').add('contentTooLarge').add('unsupportedMediaType');
  // A malformed path is none of the endpoint's.
  if (pattern.parameterNames.length > 0) refused.add('notFound');
  return refused;
}
