import type { KindContext } from '../../../endpoint/kind.context.js';
import type {
  EndpointOptions,
  IdempotencyOptions,
  PreconditionOptions,
} from '../../../endpoint/options/endpoint.options.js';
import type { OperationDescription } from '../../../endpoint/description/operation.description.js';
import { givenSchemas } from '../../../model/column.schema.js';
import { NamedSchema, type JsonSchema } from '../../../model/json.schema.js';
import type { Model } from '../../../model/model.js';
import { outcomes } from '../../../wire/outcome.table.js';
import {
  asksCallables,
  one,
  selectionParameters,
  shownAnswer,
  subjectOf,
  writtenRecord,
} from '../../record/record.description.js';
import type { NestedWrites } from '../../nested/nested.writes.js';
import { nestedSchemas } from '../../nested/nested.schemas.js';
import type { RecordOutput } from '../../record/record.output.js';
import type { SelectableOutput } from '../../record/selectable.output.js';
import type { ConflictColumns } from './conflict.columns.js';
import { Idempotency } from '../idempotency.js';
import { LifeCycle } from '../life.cycle.js';
import type { HookSource } from '../write.hooks.js';
import { locationHeader, type RecordPlace } from '../record.place.js';
import { ReplacedColumns } from './replaced.columns.js';
import { UpsertPrecondition } from './upsert.precondition.js';

/** The options that documents tell of. */
interface DescribedOptions extends PreconditionOptions, IdempotencyOptions, HookSource {
  readonly writeableColumnNames: readonly string[];
  readonly transformInputTypes?: boolean;
  readonly replaces?: boolean;
  readonly createStatus?: number;
  readonly outputMap?: unknown;
  readonly outputSchema?: EndpointOptions['outputSchema'];
  readonly inputValidationCallable?: unknown;
  readonly where?: readonly unknown[];
  readonly joins?: readonly unknown[];
}

/** The steps of an Upsert that documents tell of. */
interface DescribedSteps {
  readonly conflict: ConflictColumns;
  readonly outputs: SelectableOutput<RecordOutput>;
  readonly place: RecordPlace | undefined;
  readonly related: NestedWrites | undefined;
}

/** Describes an Upsert for documents. */
export function upsertDescription(
  context: KindContext,
  model: Model,
  options: DescribedOptions,
  { conflict, outputs, place, related }: DescribedSteps,
): OperationDescription {
  const { outputMap, inputValidationCallable, createStatus = outcomes.created.statusCode } = options;
  const { headerParameters, refusals } = UpsertPrecondition.described(options);
  const keys = Idempotency.described(options);
  const shown = shownAnswer(context, model, outputs.widest, options, outputs.isSelectable);
  const headers = { ...shown.headers, ...keys.headers };
  const isSame = createStatus === outcomes.success.statusCode;
  const created = { statusCode: createStatus, headers: { ...headers, ...(place && locationHeader) } };
  const name = `${subjectOf(context, model)}Upsert`;
  return {
    verb: 'upsert',
    summary: `Create or update ${one(model)}`,
    description: `Updates ${one(model)} of this key, or creates it where there is none. What is wrong with the columns is told by column.`,
    pathParameters: givenSchemas(conflict.inPath.values()),
    ...selectionParameters(outputs),
    body: {
      schema: {
        $ref: new NamedSchema(name, nestedSchemas(bodyOf(context, model, options, conflict), related?.level)),
      },
      isRequired: true,
    },
    answer: { ...shown, headers, ...(isSame ? {} : { created }) },
    headerParameters: { ...headerParameters, ...keys.headerParameters },
    refusals: [
      'invalidInput',
      'conflict',
      ...refusals,
      ...(conflict.inPath.size > 0 || context.hides(model) ? (['notFound'] as const) : []),
      ...(related?.level.refusals ?? []),
    ],
    runsCallables:
      (outputMap ?? inputValidationCallable) !== undefined ||
      asksCallables(options) ||
      LifeCycle.takesPart(options),
  };
}

function bodyOf(
  context: KindContext,
  model: Model,
  { writeableColumnNames, transformInputTypes, replaces = false }: DescribedOptions,
  conflict: ConflictColumns,
): JsonSchema {
  const given = [...conflict.inPath.keys()];
  const names = conflict.writeable(writeableColumnNames);
  const source = { writeableColumnNames: names, transformInputTypes };
  const schema = writtenRecord(context, model, source, { partial: false, given });
  const said = [...given, ...context.ownColumns(model).map(({ column }) => column.name)];
  const demanded = names
    .flatMap((name) => model.columns.get(name) ?? [])
    .filter((column) => !said.includes(column.name))
    .filter((column) => {
      return conflict.columns.includes(column) || (replaces && ReplacedColumns.isRequired(column));
    })
    .map(({ name }) => context.names.outward(name));
  return { ...schema, required: [...new Set([...(schema.required ?? []), ...demanded])] };
}
