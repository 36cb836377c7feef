import type { KindContext } from '../../endpoint/kind.context.js';
import type { OperationDescription } from '../../endpoint/description/operation.description.js';
import { givenSchemas } from '../../model/column.schema.js';
import type { JsonSchema } from '../../model/json.schema.js';
import type { Model } from '../../model/model.js';
import type { NameTable } from '../../wire/name.table.js';
import { isUpserting, type OnConflict } from '../bulk/bulk.conflict.js';
import { writtenRecord } from '../record/record.description.js';
import { LifeCycle } from '../write/life.cycle.js';
import type { HookSource } from '../write/write.hooks.js';
import { mediaTypes, transferFormats } from './transfer.format.js';

/** The options that a description tells of. */
interface ImportSource extends HookSource {
  readonly writeableColumnNames: readonly string[];
  readonly transformInputTypes?: boolean;
  readonly includeRoutingDataInRequestData?: boolean;
  readonly inputValidationCallable?: unknown;
  readonly onConflict?: OnConflict;
}

/** Describes what an import takes and gives. */
export function importDescription(
  context: KindContext,
  model: Model,
  options: ImportSource,
): OperationDescription {
  const { names } = context;
  const isUpsert = isUpserting(options);
  const given = context.pattern.parameterNames.filter(
    (name) => options.includeRoutingDataInRequestData === true || (isUpsert && model.columns.has(name)),
  );
  const { properties = {} } = writtenRecord(context, model, options, { partial: false, given });
  const sent = Object.keys(properties).join(', ');
  const columns = given.flatMap((name) => model.columns.get(name) ?? []);
  return {
    verb: 'import',
    summary: `Import ${model.meta.className} records`,
    description: `Creates a ${model.meta.className} of each line of the body${fates[options.onConflict ?? 'refuse']}, while it comes: lines of JSON, or a table whose first line has the names of columns. The answer tells how far it is, what is wrong with which line, and last how it ended.`,
    pathParameters: givenSchemas(columns),
    queryParameters: {
      [names.control('dry_run')]: { type: 'boolean', default: false },
      [names.control('format')]: { type: 'string', enum: transferFormats },
    },
    body: {
      schema: textOf(`Lines: ${sent}.`),
      isRequired: true,
      content: {
        [mediaTypes.ndjson]: textOf(`An object of JSON on each line, with members of ${sent}.`),
        [mediaTypes.csv]: textOf(`A table, whose first line has names of ${sent}.`),
      },
    },
    answer: {
      kind: 'raw',
      content: { [mediaTypes.ndjson]: textOf(`Lines of JSON. ${told(names)}`) },
    },
    refusals: ['contentTooLarge', 'unsupportedMediaType', 'requestTimeout'],
    runsCallables: options.inputValidationCallable !== undefined || LifeCycle.takesPart(options),
  };
}

/** The fates of records that are there already, in words. */
const fates: Readonly<Record<OnConflict, string>> = {
  refuse: '',
  update: ', or changes the one that is there',
  ignore: ', and leaves alone one that is there',
};

function textOf(description: string): JsonSchema {
  return { type: 'string', description };
}

/** The lines of an answer, in words. */
function told(names: NameTable): string {
  const word = (name: string): string => `\`${names.control(name)}\``;
  const counts = ['lines', 'created', 'updated', 'failed'].map(word).join(', ');
  return `About a line of the body: ${word('line')}, and ${word('input_errors')} or ${word('error')}. Each second how far it is: ${word('progress')} with ${counts}. Last ${word('status')}, and ${word('data')} with the same numbers.`;
}
