import type { KindContext } from '../../endpoint/kind.context.js';
import type { EndpointOptions } from '../../endpoint/options/endpoint.options.js';
import type {
  AnswerDescription,
  BodyDescription,
  OperationDescription,
} from '../../endpoint/description/operation.description.js';
import { textualSchema } from '../../model/column.schema.js';
import { NamedSchema, UnknownSchema, orNull, type JsonSchema } from '../../model/json.schema.js';
import type { Model } from '../../model/model.js';
import { jsonSchemaOf, type SchemaSource } from '../../metadata/schema.source.js';
import type { CallableInputSource } from './callable.input.js';
import type { CallableOutput, CallableOutputSource } from './callable.output.js';
import { givesPages, type PageSource, type PageWords } from './page.words.js';
import { startSchema } from '../../query/paging.js';
import { shownRecord, subjectOf, writtenRecord } from '../record/record.description.js';

/** The options that say what a function of the user's takes and gives. */
type CallSource = CallableInputSource &
  CallableOutputSource &
  Pick<EndpointOptions, 'outputSchema'> &
  PageSource & { readonly pageWords: PageWords };

/** Describes what a function of the user's takes and gives, as far as its options tell. */
export function callDescription(
  context: KindContext,
  model: Model | undefined,
  output: CallableOutput,
  options: CallSource,
): OperationDescription {
  const { pathSchema, querySchema, pageWords } = options;
  const query = querySchema === undefined ? undefined : objectSchema(querySchema);
  const isFree = query === undefined || query.$ref instanceof UnknownSchema;
  return {
    verb: 'call',
    summary: `Call ${context.pattern.text}`,
    description: 'Answers what a function of the service gives.',
    pathParameters: pathSchema === undefined ? pathOf(model, options) : objectSchema(pathSchema).properties,
    queryParameters: { ...(isFree ? {} : query.properties), ...pageWords.described },
    takesAnyParameter: isFree,
    requiredParameters: query?.required ?? [],
    body: bodyOf(context, model, options),
    answer: answerOf(context, model, output, options),
    refusals: isUnknown(options) ? 'any' : ['invalidInput', 'notFound', 'conflict'],
    runsCallables: true,
  };
}

/** True if the answer is unknown: outside of the envelope a function may give any status and media type. */
function isUnknown({ returnStandardResponse, outputSchema }: CallSource): boolean {
  return returnStandardResponse === false && outputSchema === undefined;
}

function pathOf(model: Model | undefined, { transformInputTypes }: CallSource): Record<string, JsonSchema> {
  if (transformInputTypes !== true || model === undefined) return {};
  return Object.fromEntries(
    [...model.columns.values()].map((column) => [column.name, textualSchema(column)]),
  );
}

function bodyOf(context: KindContext, model: Model | undefined, options: CallSource): BodyDescription {
  const { writeableColumnNames, inputSchema, transformInputTypes = false } = options;
  if (model !== undefined && writeableColumnNames !== undefined) {
    const source = { writeableColumnNames, transformInputTypes };
    const schema = writtenRecord(context, model, source, { partial: false });
    const name = `${subjectOf(context, model)}Input`;
    return { schema: { $ref: new NamedSchema(name, schema) }, isRequired: true };
  }
  if (inputSchema === undefined) return { schema: { type: 'object' }, isRequired: false };
  const schema = jsonSchemaOf(inputSchema as SchemaSource, 'input');
  return {
    schema: transformInputTypes ? readFromText(inputSchema as SchemaSource) : schema,
    isRequired: true,
  };
}

function answerOf(
  context: KindContext,
  model: Model | undefined,
  output: CallableOutput,
  options: CallSource,
): AnswerDescription {
  const data = dataOf(context, model, output, options);
  if (options.returnStandardResponse !== false) {
    const next = { word: 'start', schema: startSchema };
    const paging = givesPages(options) ? { counts: true, next, isSure: false } : 'any';
    return { kind: 'envelope', data, paging };
  }
  if (options.outputSchema === undefined) return { kind: 'raw', takesType: true, content: { '*/*': {} } };
  const mediaType = data.type === 'string' ? 'text/plain' : 'application/json';
  return { kind: 'raw', takesType: true, content: { [mediaType]: data } };
}

function dataOf(
  context: KindContext,
  model: Model | undefined,
  { shown }: CallableOutput,
  options: CallSource,
): JsonSchema {
  const { outputSchema, readableColumnNames, outputMap, returnRecords = false } = options;
  const single =
    model === undefined || shown === undefined || readableColumnNames === undefined
      ? undefined
      : shownRecord(context, model, shown, { outputMap, outputSchema });
  const schema = single ?? (outputSchema === undefined ? {} : jsonSchemaOf(outputSchema, 'output'));
  if (returnRecords) return { type: 'array', items: schema };
  return outputSchema === undefined ? orNull(schema) : schema;
}

/** An object's schema itself, where it may stand behind a name. */
function objectSchema(source: unknown): JsonSchema & Required<Pick<JsonSchema, 'properties'>> {
  const schema = jsonSchemaOf(source as SchemaSource, 'input');
  const { properties = {}, ...rest } = schema.$ref instanceof NamedSchema ? schema.$ref.schema : schema;
  return { ...rest, properties };
}

/** The members of a body whose texts are read as numbers and booleans. */
function readFromText(source: SchemaSource): JsonSchema {
  const { properties, ...schema } = objectSchema(source);
  const widened = Object.entries(properties).map(([name, member]): [string, JsonSchema] => {
    const isRead = ['number', 'integer', 'boolean'].includes(String(member.type));
    return [name, isRead ? { anyOf: [member, { type: 'string' }] } : member];
  });
  return { ...schema, properties: Object.fromEntries(widened) };
}
