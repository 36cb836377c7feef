import type { KindContext } from '../../endpoint/kind.context.js';
import type { OperationDescription } from '../../endpoint/description/operation.description.js';
import { textualSchema } from '../../model/column.schema.js';
import { NamedSchema, type JsonSchema } from '../../model/json.schema.js';
import type { Model } from '../../model/model.js';
import { subjectOf, writtenRecord } from '../record/record.description.js';
import { LifeCycle, type HookSource } from '../write/life.cycle.js';
import { mediaTypes, transferFormats } from './transfer.format.js';

/** The options that a description tells of. */
interface ImportSource extends HookSource {
  readonly writeableColumnNames: readonly string[];
  readonly transformInputTypes?: boolean;
  readonly includeRoutingDataInRequestData?: boolean;
  readonly inputValidationCallable?: unknown;
}

/** Describes what an import takes and gives. */
export function importDescription(
  context: KindContext,
  model: Model,
  options: ImportSource,
): OperationDescription {
  const { names } = context;
  const given = options.includeRoutingDataInRequestData === true ? context.pattern.parameterNames : [];
  const subject = subjectOf(context, model);
  const one = writtenRecord(context, model, options, { partial: false, given });
  const columns = given.flatMap((name) => model.columns.get(name) ?? []);
  const line = { $ref: new NamedSchema(`${subject}ImportLine`, lineSchema(context)) };
  return {
    verb: 'import',
    summary: `Import ${model.meta.className} records`,
    description: `Creates a ${model.meta.className} of each line of the body, while it comes: lines of JSON, or a table whose first line has the names of columns. The answer tells how far it is, what is wrong with which line, and last how it ended.`,
    pathParameters: Object.fromEntries(columns.map((column) => [column.name, textualSchema(column)])),
    queryParameters: {
      [names.control('dry_run')]: { type: 'boolean', default: false },
      [names.control('format')]: { type: 'string', enum: transferFormats },
    },
    body: {
      schema: { $ref: new NamedSchema(`${subject}Create`, one) },
      isRequired: true,
      content: {
        [mediaTypes.ndjson]: { $ref: new NamedSchema(`${subject}Create`, one) },
        [mediaTypes.csv]: { type: 'string' },
      },
    },
    answer: { kind: 'raw', content: { [mediaTypes.ndjson]: line } },
    refusals: ['contentTooLarge', 'unsupportedMediaType', 'requestTimeout'],
    runsCallables: options.inputValidationCallable !== undefined || LifeCycle.takesPart(options),
  };
}

/** A line of the answer: about a line of the body, about how far it is, or about the end. */
function lineSchema({ names }: KindContext): JsonSchema {
  const count: JsonSchema = { type: 'integer', minimum: 0 };
  const counts = (more: Record<string, JsonSchema> = {}): JsonSchema => {
    const words = ['lines', 'created', 'updated', 'failed'].map((word) => names.control(word));
    const properties = { ...Object.fromEntries(words.map((word) => [word, count])), ...more };
    return { type: 'object', properties, required: words, additionalProperties: false };
  };
  const object = (properties: Record<string, JsonSchema>, required: readonly string[]): JsonSchema => ({
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, one]) => [names.control(name), one]),
    ),
    required: required.map((name) => names.control(name)),
    additionalProperties: false,
  });
  const line: JsonSchema = { type: 'integer', minimum: 1 };
  const messages: JsonSchema = { type: 'object', additionalProperties: { type: 'string' } };
  const status: JsonSchema = {
    type: 'string',
    enum: ['success', 'client_error', 'input_errors', 'failure'],
  };
  return {
    oneOf: [
      object({ line, input_errors: messages }, ['line', 'input_errors']),
      object({ line, error: { type: 'string' } }, ['line', 'error']),
      object({ progress: counts() }, ['progress']),
      object(
        {
          status,
          error: { type: 'string' },
          data: counts({ [names.control('dry_run')]: { type: 'boolean' } }),
        },
        ['status', 'data'],
      ),
    ],
  };
}
