import type { KindContext } from '../../endpoint/kind.context.js';
import { traitsOf, type DescribedKind } from '../../endpoint/compiled.kind.js';
import { Endpoint } from '../../endpoint/endpoint.js';
import type {
  EndpointOptions,
  IdempotencyOptions,
  WriteableOptions,
} from '../../endpoint/options/endpoint.options.js';
import type { InjectMap } from '../../endpoint/request/injection.js';
import { selectionChecks, type SelectionOptions } from '../../endpoint/options/selection.options.js';
import type { SaveOptions } from '../../endpoint/options/life.cycle.options.js';
import type { OperationDescription } from '../../endpoint/description/operation.description.js';
import { givenSchemas } from '../../model/column.schema.js';
import type { EndpointRequest } from '../../endpoint/request/endpoint.request.js';
import type { RecordReply } from '../../endpoint/reply.js';
import type { RecordInput } from '../../request/record.input.js';
import type { UnitWrites } from '../../records/writes/unit.writes.js';
import type { WriteAnswer } from '../../records/writes/writes.js';
import { NamedSchema } from '../../model/json.schema.js';
import { EntityTags } from '../record/entity.tags.js';
import { nestedChecks, type NestedOptions } from '../../endpoint/options/nested.options.js';
import { nestedSchemas } from '../nested/nested.schemas.js';
import { NestedWrites } from '../nested/nested.writes.js';
import { CanonicalPath } from './canonical.path.js';
import { Idempotency, type KeptWork } from './idempotency.js';
import { InputJudge } from './input.judge.js';
import { LifeCycle } from './life.cycle.js';
import {
  one,
  selectionParameters,
  shownAnswer,
  subjectOf,
  writtenRecord,
} from '../record/record.description.js';
import { recordOutput, type RecordOutput } from '../record/record.output.js';
import { SelectableOutput } from '../record/selectable.output.js';
import { recordWrites } from './record.writes.js';
import { UnfilledColumns } from './unfilled.columns.js';
import { locationHeader, RecordPlace } from './record.place.js';
import { RoutingInput } from '../record/routing.input.js';
import { outcomes } from '../../wire/outcome.table.js';
import { boolean } from '../../options/checks.js';
import type { Model } from '../../model/model.js';
import type { ColumnsOf } from '../../model/column.name.js';
import type { NamesOf, OptionsOf } from '../../endpoint/options/given.options.js';
import type { ChecksOf, OptionChecks } from '../../options/option.check.js';
import {
  idempotencyChecks,
  saveChecks,
  statusCode,
  writeableChecks,
} from '../../endpoint/options/endpoint.checks.js';

/** Parameters of {@link Create}. */
export interface CreateOptions<
  E extends object,
  I extends InjectMap = InjectMap,
  Entity = E,
  Readable extends string = ColumnsOf<Entity, E>['paths'],
>
  extends
    WriteableOptions<E, Entity, Readable>,
    SelectionOptions<E, Entity>,
    SaveOptions<E, I>,
    IdempotencyOptions,
    NestedOptions {
  /** True to merge path parameters over the body before validation; they must be writeable. Default false. */
  readonly includeRoutingDataInRequestData?: boolean;
  /** HTTP status of a success. Default 201. */
  readonly createStatus?: number;
}

type Names = NamesOf<CreateOptions<object>>;

/** Creates one record from the request body (contract: Create). */
export class Create<
  E extends object = object,
  const I extends InjectMap = InjectMap,
  Entity = E,
  const Readable extends ColumnsOf<Entity, E>['paths'] = ColumnsOf<Entity, E>['paths'],
> extends Endpoint<
  CreateOptions<E, I>,
  OptionsOf<Entity, Names['all'], Names['required'], CreateOptions<E, I, Entity, Readable>, E>
> {
  static override readonly optionChecks: OptionChecks = {
    ...writeableChecks,
    ...selectionChecks,
    ...saveChecks,
    ...idempotencyChecks,
    ...nestedChecks,
    includeRoutingDataInRequestData: boolean,
    createStatus: statusCode(200, 299),
  } satisfies ChecksOf<Omit<CreateOptions<object>, keyof EndpointOptions>>;

  protected override readonly defaultMethods = ['POST'] as const;
  override readonly requiredOptions = ['modelClass', 'writeableColumnNames', 'readableColumnNames'];
  override readonly readsBody = true;
  override readonly operation = 'create';
  override readonly effect = 'writes';

  override readonly repliesPlainly = this.options.outputMap !== undefined;

  override compile(context: KindContext): DescribedKind {
    const { options } = this;
    const model = context.model(options);
    const judge = new InputJudge(context, model, options, false);
    const routing = new RoutingInput(context, model, options);
    const tags = EntityTags.of(context, model, options);
    // The status says that there is a new record, and the header where (RFC 9110, 15.3.2).
    const isNew = this.#statusCode === outcomes.created.statusCode;
    const place = isNew ? RecordPlace.of(context, model, options) : undefined;
    const outputs = SelectableOutput.of(context, model, options, (chosen) =>
      recordOutput(context, model, options, tags, place, chosen),
    );
    const lifeCycle = new LifeCycle(context, model, 'create', options);
    const path = CanonicalPath.of(context, model, routing.columns);
    const idempotency = Idempotency.of(context, model, options, path);
    const related = NestedWrites.of(context, model, options, 'create');
    const filled = [...judge.columns, ...(related?.level.keys ?? [])];
    const unfilled = new UnfilledColumns(context, model, filled, lifeCycle);
    const { writesOf, reasons, isOneStatement } = outputs.writing((output) =>
      recordWrites(context, model, options, { judge, lifeCycle, output, related }),
    );
    return {
      ...traitsOf(outputs.usual, { reasons }, idempotency, unfilled),
      isOneStatement: isOneStatement && idempotency === undefined,
      rules: this.compile === Create.prototype.compile ? 'create' : undefined,
      handle: outputs.handling((output) => {
        const { writes, unit } = writesOf(output);
        const answer = output.answering(this.#statusCode);
        return async (request) => {
          const body = request.requiredJsonObject();
          const mark = await idempotency?.markOf(request, body);
          const read = (own: ReadonlyMap<string, unknown>): RecordInput =>
            judge.read(routing.merge(own, request.routingData), request);
          const input = related === undefined ? read(body) : await related.read(body, request, read);
          if (mark !== undefined && idempotency !== undefined) {
            const work = keptWork({ unit, related }, request, input, answer);
            return idempotency.once(request, mark, work, place);
          }
          if (judge.isRefused(input)) input.refuseIfInvalid();
          return writes.create(request, input, answer);
        };
      }),
      describe: () => this.#described(context, model, outputs, { place, related }),
    };
  }

  get #statusCode(): number {
    return this.options.createStatus ?? outcomes.created.statusCode;
  }

  #described(
    context: KindContext,
    model: Model,
    outputs: SelectableOutput<RecordOutput>,
    {
      place,
      related,
    }: { readonly place: RecordPlace | undefined; readonly related: NestedWrites | undefined },
  ): OperationDescription {
    const { options } = this;
    const { outputMap, inputValidationCallable, includeRoutingDataInRequestData: includes } = options;
    const given = includes === true ? context.pattern.parameterNames : [];
    const columns = given.flatMap((name) => model.columns.get(name) ?? []);
    const shown = shownAnswer(context, model, outputs.widest, options, outputs.isSelectable);
    const { headerParameters, headers: replay } = Idempotency.described(options);
    const own = writtenRecord(context, model, options, { partial: false, given });
    const schema = nestedSchemas(own, related?.level);
    const name = `${subjectOf(context, model)}Create`;
    const headers = { ...shown.headers, ...(place && locationHeader), ...replay };
    return {
      verb: 'create',
      summary: `Create ${one(model)}`,
      description: `Creates ${one(model)} of the columns in the body. What is wrong with them is told by column.`,
      pathParameters: givenSchemas(columns),
      body: { schema: { $ref: new NamedSchema(name, schema) }, isRequired: true },
      ...selectionParameters(outputs),
      answer: { ...shown, headers, statusCode: this.#statusCode },
      headerParameters,
      refusals: [
        'invalidInput',
        'conflict',
        ...(context.hides(model) ? (['notFound'] as const) : []),
        ...(related?.level.refusals ?? []),
      ],
      runsCallables: (outputMap ?? inputValidationCallable) !== undefined || LifeCycle.takesPart(options),
    };
  }
}

/** The parts that the steps of a create are made of. */
interface KeptParts {
  readonly unit: UnitWrites<EndpointRequest, RecordInput>;
  readonly related: NestedWrites | undefined;
}

/** The steps of a create whose answer is kept. */
function keptWork(
  { unit, related }: KeptParts,
  request: EndpointRequest,
  input: RecordInput,
  answer: WriteAnswer<EndpointRequest, RecordReply>,
): KeptWork {
  return {
    explained: (work) => unit.explained(request, input, work),
    transaction: related?.around(request, input),
    judge: () => unit.judge(request, input),
    write: async () => {
      const key = await unit.insert(request, input);
      return { keys: [key], reply: await answer(request, await unit.readBack(request, key)) };
    },
  };
}
