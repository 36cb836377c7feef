import type { KindContext } from '../../endpoint/kind.context.js';
import { traitsOf, type DescribedKind } from '../../endpoint/compiled.kind.js';
import { Endpoint } from '../../endpoint/endpoint.js';
import type {
  EndpointOptions,
  FilterOptions,
  LookupOptions,
  PreconditionOptions,
  WriteableOptions,
} from '../../endpoint/options/endpoint.options.js';
import type { InjectMap } from '../../endpoint/request/injection.js';
import type { SaveOptions } from '../../endpoint/options/life.cycle.options.js';
import { selectionChecks, type SelectionOptions } from '../../endpoint/options/selection.options.js';
import type { LookupUrl } from '../../endpoint/options/lookup.url.js';
import type { OperationDescription } from '../../endpoint/description/operation.description.js';
import { NamedSchema } from '../../model/json.schema.js';
import { nestedChecks, type NestedOptions } from '../../endpoint/options/nested.options.js';
import { nestedSchemas } from '../nested/nested.schemas.js';
import { NestedWrites } from '../nested/nested.writes.js';
import { EntityTags } from '../record/entity.tags.js';
import { InputJudge } from './input.judge.js';
import { LifeCycle } from './life.cycle.js';
import {
  asksCallables,
  lookupParameter,
  one,
  selectionParameters,
  shownAnswer,
  subjectOf,
  writtenRecord,
} from '../record/record.description.js';
import { RecordLookup } from '../record/record.lookup.js';
import { recordOutput, type RecordOutput } from '../record/record.output.js';
import { SelectableOutput } from '../record/selectable.output.js';
import { recordWrites } from './record.writes.js';
import { WritePrecondition } from './write.precondition.js';
import { outcomes } from '../../wire/outcome.table.js';
import type { Model } from '../../model/model.js';
import type { ColumnsOf } from '../../model/column.name.js';
import type { NamesOf, OptionsOf } from '../../endpoint/options/given.options.js';
import type { ChecksOf, OptionChecks } from '../../options/option.check.js';
import {
  filterChecks,
  lookupChecks,
  preconditionChecks,
  saveChecks,
  writeableChecks,
} from '../../endpoint/options/endpoint.checks.js';

/** Parameters of {@link Update}. */
export interface UpdateOptions<
  E extends object,
  I extends InjectMap = InjectMap,
  Entity = E,
  Readable extends string = ColumnsOf<Entity, E>['paths'],
  Url extends string = string,
  Lookup extends string = never,
  Text = string,
>
  extends
    WriteableOptions<E, Entity, Readable>,
    SelectionOptions<E, Entity>,
    LookupOptions<E, Lookup>,
    FilterOptions<E, Entity, Text>,
    PreconditionOptions,
    SaveOptions<E, I>,
    NestedOptions {
  /** Must hold a parameter named like the lookup column, e.g. `cities/:id`. */
  readonly url: LookupUrl<Entity, NoInfer<E>, Url, NoInfer<Lookup>>;
}

type Names = NamesOf<UpdateOptions<object>>;

/** Updates one record with a subset of its columns (contract: Update). */
export class Update<
  E extends object = object,
  const I extends InjectMap = InjectMap,
  Entity = E,
  const Readable extends ColumnsOf<Entity, E>['paths'] = ColumnsOf<Entity, E>['paths'],
  const Url extends string = string,
  const Lookup extends ColumnsOf<Entity, E>['own'] = never,
  Text = string,
> extends Endpoint<
  UpdateOptions<E, I>,
  OptionsOf<
    Entity,
    Names['all'],
    Names['required'],
    UpdateOptions<E, I, Entity, Readable, Url, Lookup, Text>,
    E
  >
> {
  static override readonly optionChecks: OptionChecks = {
    ...writeableChecks,
    ...selectionChecks,
    ...lookupChecks,
    ...filterChecks,
    ...preconditionChecks,
    ...saveChecks,
    ...nestedChecks,
  } satisfies ChecksOf<Omit<UpdateOptions<object>, keyof EndpointOptions>>;

  protected override readonly defaultMethods = ['PATCH'] as const;
  override readonly requiredOptions = ['modelClass', 'url', 'writeableColumnNames', 'readableColumnNames'];
  override readonly readsBody = true;
  override readonly operation = 'update';
  override readonly effect = 'writes';

  override readonly repliesPlainly = this.options.outputMap !== undefined;

  override compile(context: KindContext): DescribedKind {
    const { options } = this;
    const model = context.model(options);
    const judge = new InputJudge(context, model, options, true);
    const lookup = RecordLookup.of(context, model, options);
    const tags = EntityTags.of(context, model, options);
    const outputs = SelectableOutput.of(context, model, options, (chosen) =>
      recordOutput(context, model, options, tags, undefined, chosen),
    );
    const filter = context.filter(model, options);
    const precondition = new WritePrecondition(context, model, options);
    const lifeCycle = new LifeCycle(context, model, 'update', options);
    const found = { lookup, filter, precondition };
    const { comparesColumns: comparesStored } = judge;
    const related = NestedWrites.of(context, model, options, 'update');
    const { writesOf, reasons, isOneStatement } = outputs.writing((output) =>
      recordWrites(context, model, options, { judge, comparesStored, lifeCycle, found, output, related }),
    );
    return {
      ...traitsOf(outputs.usual, filter, precondition, { reasons, isOneStatement }),
      rules: this.compile === Update.prototype.compile ? 'update' : undefined,
      handle: outputs.handling((output) => {
        const { writes } = writesOf(output);
        const answer = output.answering(outcomes.success.statusCode);
        return async (request) => {
          const value = lookup.value(request.routingData);
          const expected = precondition.read(request);
          const body = request.requiredJsonObject();
          const input =
            related === undefined
              ? judge.read(body, request)
              : await related.read(body, request, (own) => judge.read(own, request));
          input.refuseIfInvalid();
          return writes.update(request, { value, expected }, input, answer);
        };
      }),
      describe: () => this.#described(context, model, lookup, { outputs, related }),
    };
  }

  #described(
    context: KindContext,
    model: Model,
    lookup: RecordLookup,
    {
      outputs,
      related,
    }: {
      readonly outputs: SelectableOutput<RecordOutput>;
      readonly related: NestedWrites | undefined;
    },
  ): OperationDescription {
    const { options } = this;
    const { outputMap, inputValidationCallable } = options;
    const { headerParameters, refusals } = WritePrecondition.described(options);
    const schema = nestedSchemas(writtenRecord(context, model, options, { partial: true }), related?.level);
    const name = `${subjectOf(context, model)}Update`;
    return {
      verb: 'update',
      summary: `Update ${one(model)}`,
      description: `Changes the columns of ${one(model)} that are in the body; the others stay as they are.`,
      pathParameters: lookupParameter(lookup),
      body: { schema: { $ref: new NamedSchema(name, schema) }, isRequired: true },
      ...selectionParameters(outputs),
      answer: shownAnswer(context, model, outputs.widest, options, outputs.isSelectable),
      headerParameters,
      refusals: ['invalidInput', 'notFound', 'conflict', ...refusals, ...(related?.level.refusals ?? [])],
      runsCallables:
        (outputMap ?? inputValidationCallable) !== undefined ||
        asksCallables(options) ||
        LifeCycle.takesPart(options),
    };
  }
}
