import type { Operation } from '../../access/operation.access.js';
import type { KindContext } from '../../endpoint/kind.context.js';
import { traitsOf, type DescribedKind } from '../../endpoint/compiled.kind.js';
import { Endpoint } from '../../endpoint/endpoint.js';
import type {
  EndpointOptions,
  FilterOptions,
  IdempotencyOptions,
  LookupOptions,
  WriteableOptions,
} from '../../endpoint/options/endpoint.options.js';
import type { InjectMap } from '../../endpoint/request/injection.js';
import type { SaveOptions } from '../../endpoint/options/life.cycle.options.js';
import { selectionChecks, type SelectionOptions } from '../../endpoint/options/selection.options.js';
import type { EndpointRequest } from '../../endpoint/request/endpoint.request.js';
import type { PlacedInput } from '../../records/writes/bulk/bulk.writes.js';
import type { RecordInput } from '../../request/record.input.js';
import { outcomes } from '../../wire/outcome.table.js';
import { boolean } from '../../options/checks.js';
import type { ColumnsOf } from '../../model/column.name.js';
import type { NamesOf, OptionsOf } from '../../endpoint/options/given.options.js';
import type { ChecksOf, OptionChecks } from '../../options/option.check.js';
import {
  filterChecks,
  idempotencyChecks,
  lookupChecks,
  saveChecks,
  statusCode,
  writeableChecks,
} from '../../endpoint/options/endpoint.checks.js';
import type { OperationDescription } from '../../endpoint/description/operation.description.js';
import { givenSchemas } from '../../model/column.schema.js';
import { NamedSchema } from '../../model/json.schema.js';
import type { Model } from '../../model/model.js';
import { mostComplaints } from '../../wire/refusals.js';
import {
  asksCallables,
  selectionParameters,
  subjectOf,
  writtenRecord,
} from '../record/record.description.js';
import type { SelectableOutput } from '../record/selectable.output.js';
import { CanonicalPath } from '../write/canonical.path.js';
import { Idempotency } from '../write/idempotency.js';
import { entriesOf, listedAnswer, namedBody, objectOf } from './bulk.description.js';
import { RoutingInput } from '../record/routing.input.js';
import { lookupPath } from '../record/record.lookup.js';
import { LifeCycle } from '../write/life.cycle.js';
import { UpsertLifeCycle } from '../write/upsert/upsert.life.cycle.js';
import { BulkConflict, conflictChecks, isUpserting, type ConflictOptions } from './bulk.conflict.js';
import { BulkBody } from './bulk.body.js';
import { BulkJudge, refuseIfInvalid } from './bulk.judge.js';
import { bulkChecks, usualRecords, type BulkOptions } from './bulk.options.js';
import { BulkOutput } from './bulk.output.js';
import { creating } from './creating.js';
import { refuseOwnSegment } from '../record/own.segment.js';
import { recordBulkWrites } from './record.bulk.writes.js';

/** Parameters of {@link CreateMany}. */
export interface CreateManyOptions<
  E extends object,
  I extends InjectMap = InjectMap,
  Entity = E,
  Readable extends string = ColumnsOf<Entity, E>['paths'],
  Lookup extends string = never,
  Text = string,
>
  extends
    WriteableOptions<E, Entity, Readable>,
    SelectionOptions<E, Entity>,
    LookupOptions<E, Lookup>,
    FilterOptions<E, Entity, Text>,
    SaveOptions<E, I>,
    IdempotencyOptions,
    BulkOptions,
    Pick<ConflictOptions, 'onConflict'> {
  /**
   * The columns by whose values a record is there already: exactly those of one unique constraint, none of them null. Needed
   * where `onConflict` is `update` or `ignore`.
   */
  readonly conflictColumnNames?: readonly ColumnsOf<Entity, NoInfer<E>>['own'][];
  /** True to merge path parameters over each record before validation; they must be writeable. Default false. */
  readonly includeRoutingDataInRequestData?: boolean;
  /** HTTP status of a success. Default 201. */
  readonly createStatus?: number;
}

type Names = NamesOf<CreateManyOptions<object>>;

/** Creates many records from the request body: all of them, or none. */
export class CreateMany<
  E extends object = object,
  const I extends InjectMap = InjectMap,
  Entity = E,
  const Readable extends ColumnsOf<Entity, E>['paths'] = ColumnsOf<Entity, E>['paths'],
  const Lookup extends ColumnsOf<Entity, E>['own'] = never,
  Text = string,
> extends Endpoint<
  CreateManyOptions<E, I>,
  OptionsOf<
    Entity,
    Names['all'],
    Names['required'],
    CreateManyOptions<E, I, Entity, Readable, Lookup, Text>,
    E
  >
> {
  static override readonly optionChecks: OptionChecks = {
    ...writeableChecks,
    ...selectionChecks,
    ...lookupChecks,
    ...filterChecks,
    ...saveChecks,
    ...idempotencyChecks,
    ...bulkChecks,
    ...conflictChecks,
    includeRoutingDataInRequestData: boolean,
    createStatus: statusCode(200, 299),
  } satisfies ChecksOf<Omit<CreateManyOptions<object>, keyof EndpointOptions>>;

  protected override readonly defaultMethods = ['POST'] as const;
  override readonly requiredOptions = ['modelClass', 'writeableColumnNames', 'readableColumnNames'];
  override readonly readsBody = true;
  override readonly operation: Operation = isUpserting(this.options) ? 'upsert' : 'create';
  override readonly effect = 'writes';

  override readonly repliesPlainly = this.options.outputMap !== undefined;

  override compile(context: KindContext): DescribedKind {
    const { options } = this;
    const { recordLookupColumnName, maximumRecords = usualRecords } = options;
    const { createStatus = outcomes.created.statusCode } = options;
    const model = context.model(options);
    const path = lookupPath(context, model, recordLookupColumnName ?? model.idColumn.name);
    refuseOwnSegment(context, this, model);
    const body = new BulkBody(context.names, ['records'], false, maximumRecords);
    const conflict = BulkConflict.of(context, model, options);
    const writeableColumnNames =
      conflict?.columns.writeable(options.writeableColumnNames) ?? options.writeableColumnNames;
    const input = { ...options, writeableColumnNames };
    const judge = new BulkJudge(context, model, input, false, conflict?.columns.settled);
    const routing = new RoutingInput(context, model, options);
    const outputs = BulkOutput.selectable(context, model, options, path);
    const lifeCycle =
      conflict === undefined
        ? new LifeCycle(context, model, 'create', options)
        : new UpsertLifeCycle(context, model, options);
    const comparesStored = conflict !== undefined && judge.comparesColumns;
    const plan = { judge, lifeCycle, comparesStored, upsert: conflict };
    const { writesOf, reasons, isOneStatement } = outputs.writing((output) =>
      recordBulkWrites(context, model, options, { ...plan, output }),
    );
    const canonical = CanonicalPath.of(context, model, routing.columns);
    const idempotency = Idempotency.of(context, model, options, canonical, true);
    return {
      ...traitsOf(outputs.usual, conflict?.filter, { reasons }, idempotency),
      isOneStatement: isOneStatement && idempotency === undefined,
      handle: outputs.handling((output) => {
        const { writes, unit } = writesOf(output);
        const answer = output.answeringEither(createStatus);
        const { create, kept } = creating({ writes, unit, answer, isUpsert: conflict !== undefined });
        return async (request) => {
          const members = request.requiredJsonObject();
          const sent = body.read(members);
          const mark = await idempotency?.markOf(request, members);
          const inputs = inputsOf(request, body.entries(sent), judge, { routing, conflict });
          if (mark !== undefined && idempotency !== undefined)
            return idempotency.once(request, mark, kept(request, inputs));
          if (judge.isRefused(inputs)) refuseIfInvalid(inputs);
          return create(request, inputs);
        };
      }),
      describe: () => this.#described(context, model, outputs),
    };
  }

  #described(
    context: KindContext,
    model: Model,
    outputs: SelectableOutput<BulkOutput>,
  ): OperationDescription {
    const { options } = this;
    const { outputMap, inputValidationCallable, includeRoutingDataInRequestData: includes } = options;
    const { maximumRecords = usualRecords, createStatus = outcomes.created.statusCode } = options;
    const isUpsert = isUpserting(options);
    const given =
      includes === true || isUpsert
        ? context.pattern.parameterNames.filter((name) => includes === true || model.columns.has(name))
        : [];
    const subject = subjectOf(context, model);
    const one = writtenRecord(context, model, options, { partial: false, given });
    const records = entriesOf({ $ref: new NamedSchema(`${subject}Create`, one) }, maximumRecords);
    const { headerParameters, headers } = Idempotency.described(options);
    const listed = listedAnswer(context, model, outputs.widest, options, outputs.isSelectable);
    const created = { statusCode: createStatus, headers };
    return {
      verb: 'createMany',
      summary: isUpsert
        ? `Create or update ${model.meta.className} records`
        : `Create ${model.meta.className} records`,
      description: `Creates all ${model.meta.className} records of the body, or none. What is wrong with one is told by its place.`,
      pathParameters: givenSchemas(given.flatMap((name) => model.columns.get(name) ?? [])),
      ...selectionParameters(outputs),
      body: namedBody(`${subject}CreateMany`, objectOf({ [context.names.control('records')]: records })),
      answer: isUpsert ? { ...listed, headers, created } : { ...listed, ...created },
      headerParameters,
      refusals: ['invalidInput', 'conflict', ...(context.hides(model) ? (['notFound'] as const) : [])],
      runsCallables:
        (outputMap ?? inputValidationCallable) !== undefined ||
        asksCallables(options) ||
        LifeCycle.takesPart(options),
    };
  }
}

/** Reads records until there is more wrong with them than an answer has room for. */
function inputsOf(
  request: EndpointRequest,
  entries: ReturnType<BulkBody['entries']>,
  judge: BulkJudge,
  { routing, conflict }: { readonly routing: RoutingInput; readonly conflict: BulkConflict | undefined },
): readonly PlacedInput<RecordInput>[] {
  const context = request.context();
  const inputs: PlacedInput<RecordInput>[] = [];
  let complaints = 0;
  for (const { place, members } of entries) {
    const sent = new Map(Object.entries(members));
    const merged = routing.merge(sent, request.routingData);
    const input = judge.read(conflict?.merge(merged, request) ?? merged, () => context);
    conflict?.columns.compare(input, merged);
    inputs.push({ place, input });
    complaints += input.complaints.size;
    if (complaints >= mostComplaints) break;
  }
  conflict?.compare(judge, inputs);
  return inputs;
}
