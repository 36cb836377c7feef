import type { KindContext } from '../../endpoint/kind.context.js';
import { traitsOf, type DescribedKind } from '../../endpoint/compiled.kind.js';
import { Endpoint } from '../../endpoint/endpoint.js';
import type {
  EndpointOptions,
  IdempotencyOptions,
  LookupOptions,
  WriteableOptions,
} from '../../endpoint/options/endpoint.options.js';
import type { InjectMap } from '../../endpoint/request/injection.js';
import type { SaveOptions } from '../../endpoint/options/life.cycle.options.js';
import type { EndpointRequest } from '../../endpoint/request/endpoint.request.js';
import type { BulkAnswer, PlacedInput } from '../../records/writes/bulk/bulk.writes.js';
import type { RecordInput } from '../../request/record.input.js';
import { outcomes } from '../../wire/outcome.table.js';
import { boolean } from '../../options/checks.js';
import type { ColumnsOf } from '../../model/column.name.js';
import type { NamesOf, OptionsOf } from '../../endpoint/options/given.options.js';
import type { ChecksOf, OptionChecks } from '../../options/option.check.js';
import {
  idempotencyChecks,
  lookupChecks,
  saveChecks,
  statusCode,
  writeableChecks,
} from '../../endpoint/options/endpoint.checks.js';
import type { OperationDescription } from '../../endpoint/description/operation.description.js';
import { textualSchema } from '../../model/column.schema.js';
import { NamedSchema, type JsonSchema } from '../../model/json.schema.js';
import type { Model } from '../../model/model.js';
import { subjectOf, writtenRecord } from '../record/record.description.js';
import type { RecordReply } from '../../endpoint/reply.js';
import type { BulkUnitWrites } from '../../records/writes/bulk/bulk.unit.writes.js';
import { CanonicalPath } from '../write/canonical.path.js';
import { Idempotency, type KeptWork } from '../write/idempotency.js';
import { entriesOf, listedAnswer, namedBody, objectOf } from './bulk.description.js';
import { RoutingInput } from '../record/routing.input.js';
import { lookupPath } from '../record/record.lookup.js';
import { LifeCycle } from '../write/life.cycle.js';
import { BulkBody } from './bulk.body.js';
import { mostComplaints } from './bulk.complaints.js';
import { BulkJudge, refuseIfInvalid } from './bulk.judge.js';
import { bulkChecks, usualRecords, type BulkOptions } from './bulk.options.js';
import { BulkOutput } from './bulk.output.js';
import { refuseOwnSegment } from '../record/own.segment.js';
import { recordBulkWrites } from './record.bulk.writes.js';

/** Parameters of {@link CreateMany}. */
export interface CreateManyOptions<
  E extends object,
  I extends InjectMap = InjectMap,
  Entity = E,
  Readable extends string = ColumnsOf<Entity, E>['paths'],
  Lookup extends string = never,
>
  extends
    WriteableOptions<E, Entity, Readable>,
    LookupOptions<E, Lookup>,
    SaveOptions<E, I>,
    IdempotencyOptions,
    BulkOptions {
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
> extends Endpoint<
  CreateManyOptions<E, I>,
  OptionsOf<Entity, Names['all'], Names['required'], CreateManyOptions<E, I, Entity, Readable, Lookup>, E>
> {
  static override readonly optionChecks: OptionChecks = {
    ...writeableChecks,
    ...lookupChecks,
    ...saveChecks,
    ...idempotencyChecks,
    ...bulkChecks,
    includeRoutingDataInRequestData: boolean,
    createStatus: statusCode(200, 299),
  } satisfies ChecksOf<Omit<CreateManyOptions<object>, keyof EndpointOptions>>;

  protected override readonly defaultMethods = ['POST'] as const;
  override readonly requiredOptions = ['modelClass', 'writeableColumnNames', 'readableColumnNames'];
  override readonly readsBody = true;
  override readonly operation = 'create';
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
    const judge = new BulkJudge(context, model, options, false);
    const routing = new RoutingInput(context, model, options);
    const output = BulkOutput.of(context, model, options, path);
    const lifeCycle = new LifeCycle(context, model, 'create', options);
    const plan = { judge, lifeCycle, output };
    const { writes, unit, ...traits } = recordBulkWrites(context, model, options, plan);
    const answer = output.answering(createStatus);
    const canonical = CanonicalPath.of(context, model, routing.columns);
    const idempotency = Idempotency.of(context, model, options, canonical, true);
    return {
      ...traitsOf(output, traits, idempotency),
      isOneStatement: traits.isOneStatement && idempotency === undefined,
      handle: async (request) => {
        const members = request.requiredJsonObject();
        const sent = body.read(members);
        const mark = await idempotency?.markOf(request, members);
        const inputs = inputsOf(request, body.entries(sent), judge, routing);
        if (mark !== undefined && idempotency !== undefined)
          return idempotency.once(request, mark, keptWork(unit, request, inputs, answer));
        if (judge.isRefused(inputs)) refuseIfInvalid(inputs);
        return writes.create(request, inputs, answer);
      },
      describe: () => this.#described(context, model, output),
    };
  }

  #described(context: KindContext, model: Model, output: BulkOutput): OperationDescription {
    const { options } = this;
    const { outputMap, inputValidationCallable, includeRoutingDataInRequestData: includes } = options;
    const { maximumRecords = usualRecords, createStatus = outcomes.created.statusCode } = options;
    const given = includes === true ? context.pattern.parameterNames : [];
    const subject = subjectOf(context, model);
    const one = writtenRecord(context, model, options, { partial: false, given });
    const records = entriesOf({ $ref: new NamedSchema(`${subject}Create`, one) }, maximumRecords);
    const { headerParameters, headers } = Idempotency.described(options);
    return {
      verb: 'createMany',
      summary: `Create ${model.meta.className} records`,
      description: `Creates all ${model.meta.className} records of the body, or none. What is wrong with one is told by its place.`,
      pathParameters: pathParametersOf(model, given),
      body: namedBody(`${subject}CreateMany`, objectOf({ [context.names.control('records')]: records })),
      answer: { ...listedAnswer(context, model, output, options), headers, statusCode: createStatus },
      headerParameters,
      refusals: ['invalidInput', 'conflict', ...(context.hides(model) ? (['notFound'] as const) : [])],
      runsCallables: (outputMap ?? inputValidationCallable) !== undefined || LifeCycle.takesPart(options),
    };
  }
}

/** The schemas of path parameters that are values of columns. */
function pathParametersOf(model: Model, given: readonly string[]): Record<string, JsonSchema> {
  const columns = given.flatMap((name) => model.columns.get(name) ?? []);
  return Object.fromEntries(columns.map((column) => [column.name, textualSchema(column)]));
}

/** Reads records until there is more wrong with them than an answer has room for. */
function inputsOf(
  request: EndpointRequest,
  entries: ReturnType<BulkBody['entries']>,
  judge: BulkJudge,
  routing: RoutingInput,
): readonly PlacedInput<RecordInput>[] {
  const context = request.context();
  const inputs: PlacedInput<RecordInput>[] = [];
  let complaints = 0;
  for (const { place, members } of entries) {
    const merged = routing.merge(new Map(Object.entries(members)), request.routingData);
    const input = judge.read(merged, () => context);
    inputs.push({ place, input });
    complaints += input.complaints.size;
    if (complaints >= mostComplaints) break;
  }
  return inputs;
}

/** The steps of a create whose answer is kept. */
function keptWork(
  unit: BulkUnitWrites<EndpointRequest, RecordInput>,
  request: EndpointRequest,
  inputs: readonly PlacedInput<RecordInput>[],
  answer: BulkAnswer<EndpointRequest, RecordReply>,
): KeptWork {
  return {
    explained: (work) => unit.explained(request, inputs, work),
    judge: () => unit.judge(request, inputs),
    write: async () => {
      const keys = await unit.insert(request, inputs);
      return { keys, reply: await answer(request, await unit.readBack(request, keys)) };
    },
  };
}
