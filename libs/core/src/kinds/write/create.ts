import type { Compilation } from '../../endpoint/compilation.js';
import { Endpoint, type Handler } from '../../endpoint/endpoint.js';
import type {
  EndpointOptions,
  IdempotencyOptions,
  WriteableOptions,
} from '../../endpoint/options/endpoint.options.js';
import type { InjectMap } from '../../endpoint/request/injection.js';
import type { SaveOptions } from '../../endpoint/options/life.cycle.options.js';
import type { OperationDescription } from '../../endpoint/description/operation.description.js';
import { textualSchema } from '../../model/column.schema.js';
import { NamedSchema } from '../../model/json.schema.js';
import { EntityTags } from '../record/entity.tags.js';
import { Idempotency } from './idempotency.js';
import { InputJudge } from './input.judge.js';
import { LifeCycle } from './life.cycle.js';
import { one, shownAnswer, subjectOf, writtenRecord } from '../record/record.description.js';
import { recordOutput } from '../record/record.output.js';
import { recordWrites } from './record.writes.js';
import { RoutingInput } from '../record/routing.input.js';
import { outcomes } from '../../wire/outcome.table.js';
import { boolean } from '../../options/checks.js';
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
  extends WriteableOptions<E, Entity, Readable>, SaveOptions<E, I>, IdempotencyOptions {
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
    ...saveChecks,
    ...idempotencyChecks,
    includeRoutingDataInRequestData: boolean,
    createStatus: statusCode(200, 299),
  } satisfies ChecksOf<Omit<CreateOptions<object>, keyof EndpointOptions>>;

  protected override readonly defaultMethods = ['POST'] as const;
  override readonly requiredOptions = ['modelClass', 'writeableColumnNames', 'readableColumnNames'];
  override readonly readsBody = true;
  override readonly effect = 'writes';

  override readonly repliesPlainly = this.options.outputMap !== undefined;

  override describe(compilation: Compilation): OperationDescription {
    const model = compilation.model(this.options);
    const { outputMap, inputValidationCallable, includeRoutingDataInRequestData: includes } = this.options;
    const given = includes === true ? compilation.pattern.parameterNames : [];
    const columns = given.flatMap((name) => model.columns.get(name) ?? []);
    const shown = shownAnswer(compilation, model, this.options);
    const { headerParameters, headers: replay } = Idempotency.described(this.options);
    const subject = subjectOf(compilation, model);
    const schema = writtenRecord(compilation, model, this.options, { partial: false, given });
    return {
      verb: 'create',
      summary: `Create ${one(model)}`,
      description: `Creates ${one(model)} of the columns in the body. What is wrong with them is told by column.`,
      pathParameters: Object.fromEntries(columns.map((column) => [column.name, textualSchema(column)])),
      body: { schema: { $ref: new NamedSchema(`${subject}Create`, schema) }, isRequired: true },
      answer: {
        ...shown,
        headers: { ...shown.headers, ...replay },
        statusCode: this.options.createStatus ?? outcomes.created.statusCode,
      },
      headerParameters,
      refusals: ['invalidInput', 'conflict', ...(compilation.hides(model) ? (['notFound'] as const) : [])],
      runsCallables:
        (outputMap ?? inputValidationCallable) !== undefined || LifeCycle.takesPart(this.options),
    };
  }

  override compile(compilation: Compilation): Handler {
    const model = compilation.model(this.options);
    const judge = new InputJudge(compilation, model, this.options, false);
    const routing = new RoutingInput(compilation, model, this.options);
    const tags = EntityTags.of(compilation, model, this.options);
    const output = recordOutput(compilation, model, this.options, tags);
    const lifeCycle = new LifeCycle(compilation, model, 'create', this.options);
    const plan = { judge, lifeCycle, output };
    const { writes, unit } = recordWrites(compilation, model, this.options, plan);
    const idempotency = Idempotency.of(compilation, model, this.options, unit);
    const answer = output.answering(this.options.createStatus ?? outcomes.created.statusCode);

    return async (request) => {
      const body = request.requiredJsonObject();
      const mark = await idempotency?.markOf(request, body);
      const input = judge.read(routing.merge(body, request.routingData), request);
      return mark === undefined || idempotency === undefined
        ? writes.create(request, input, answer)
        : idempotency.once(request, mark, input, answer);
    };
  }
}
