import type { KindContext } from '../../../endpoint/kind.context.js';
import { traitsOf, type DescribedKind } from '../../../endpoint/compiled.kind.js';
import { Endpoint } from '../../../endpoint/endpoint.js';
import type {
  EndpointOptions,
  FilterOptions,
  LookupOptions,
  PreconditionOptions,
  ReadableOptions,
} from '../../../endpoint/options/endpoint.options.js';
import type { OperationDescription } from '../../../endpoint/description/operation.description.js';
import type { InjectMap } from '../../../endpoint/request/injection.js';
import type { SaveOptions } from '../../../endpoint/options/life.cycle.options.js';
import type { LookupUrl } from '../../../endpoint/options/lookup.url.js';
import { selectionChecks, type SelectionOptions } from '../../../endpoint/options/selection.options.js';
import type { Model } from '../../../model/model.js';
import type { ColumnsOf } from '../../../model/column.name.js';
import type { NamesOf, OptionsOf } from '../../../endpoint/options/given.options.js';
import type { ChecksOf, OptionChecks } from '../../../options/option.check.js';
import {
  filterChecks,
  lookupChecks,
  preconditionChecks,
  readableChecks,
  saveChecks,
} from '../../../endpoint/options/endpoint.checks.js';
import { outcomes } from '../../../wire/outcome.table.js';
import { EntityTags } from '../../record/entity.tags.js';
import {
  asksCallables,
  lookupParameter,
  one,
  selectionParameters,
  shownAnswer,
} from '../../record/record.description.js';
import { RecordLookup } from '../../record/record.lookup.js';
import { recordOutput, type RecordOutput } from '../../record/record.output.js';
import { recordsShown } from '../../record/records.view.js';
import { SelectableOutput } from '../../record/selectable.output.js';
import { LifeCycle } from '../life.cycle.js';
import { recordWrites } from '../record.writes.js';
import { WritePrecondition } from '../write.precondition.js';
import { RestoreJudge } from './restore.judge.js';
import { SoftMark } from './soft.mark.js';

/** Parameters of {@link Restore}. */
export interface RestoreOptions<
  E extends object,
  I extends InjectMap = InjectMap,
  Entity = E,
  Readable extends string = ColumnsOf<Entity, E>['paths'],
  Url extends string = string,
  Lookup extends string = never,
  Text = string,
>
  extends
    ReadableOptions<E, Entity, Readable>,
    SelectionOptions<E, Entity>,
    LookupOptions<E, Lookup>,
    FilterOptions<E, Entity, Text>,
    PreconditionOptions,
    SaveOptions<E, I> {
  /** Must hold a parameter named like the lookup column, e.g. `cities/trash/:id/restore`. */
  readonly url: LookupUrl<Entity, NoInfer<E>, Url, NoInfer<Lookup>>;
}

type Names = NamesOf<RestoreOptions<object>>;

/** Restores one record that is deleted by a mark, and answers with it. */
export class Restore<
  E extends object = object,
  const I extends InjectMap = InjectMap,
  Entity = E,
  const Readable extends ColumnsOf<Entity, E>['paths'] = ColumnsOf<Entity, E>['paths'],
  const Url extends string = string,
  const Lookup extends ColumnsOf<Entity, E>['own'] = never,
  Text = string,
> extends Endpoint<
  RestoreOptions<E, I>,
  OptionsOf<
    Entity,
    Names['all'],
    Names['required'],
    RestoreOptions<E, I, Entity, Readable, Url, Lookup, Text>,
    E
  >
> {
  static override readonly optionChecks: OptionChecks = {
    ...readableChecks,
    ...selectionChecks,
    ...lookupChecks,
    ...filterChecks,
    ...preconditionChecks,
    ...saveChecks,
  } satisfies ChecksOf<Omit<RestoreOptions<object>, keyof EndpointOptions>>;

  protected override readonly defaultMethods = ['POST'] as const;
  override readonly requiredOptions = ['modelClass', 'url', 'readableColumnNames'];
  override readonly readsBody = false;
  override readonly operation = 'delete';
  override readonly effect = 'writes';

  override readonly repliesPlainly = this.options.outputMap !== undefined;

  override compile(context: KindContext): DescribedKind {
    const { options } = this;
    const model = context.model(options);
    const mark = SoftMark.needed(context, model);
    const judge = new RestoreJudge(context, model);
    const lookup = RecordLookup.of(context, model, options);
    const tags = EntityTags.of(context, model, options);
    const outputs = SelectableOutput.of(context, model, options, (chosen) =>
      recordOutput(context, model, options, tags, undefined, chosen),
    );
    const filter = context.filter(model, options);
    const precondition = new WritePrecondition(context, model, options);
    const lifeCycle = new LifeCycle(context, model, 'restore', options);
    const plan = { lifeCycle, found: { lookup, filter, precondition }, soft: { mark, judge } };
    const { writesOf, reasons, isOneStatement } = outputs.writing((output) =>
      recordWrites(context, model, options, { ...plan, output }),
    );
    const records = recordsShown(context, model, { records: 'deleted' }, lookup.path.column);
    const warnings = context.store(model).relatives?.warnings ?? [];
    return {
      ...traitsOf(outputs.usual, filter, precondition, { reasons, isOneStatement, warnings, ...records }),
      handle: outputs.handling((output) => {
        const { writes } = writesOf(output);
        const answer = output.answering(outcomes.success.statusCode);
        return async (request) => {
          const value = lookup.value(request.routingData);
          const expected = precondition.read(request);
          return writes.restore(request, { value, expected }, mark.restored, answer);
        };
      }),
      describe: () => this.#described(context, model, lookup, outputs),
    };
  }

  #described(
    context: KindContext,
    model: Model,
    lookup: RecordLookup,
    outputs: SelectableOutput<RecordOutput>,
  ): OperationDescription {
    const { options } = this;
    const { headerParameters, refusals } = WritePrecondition.described(options);
    return {
      verb: 'restore',
      summary: `Restore ${one(model)}`,
      description: `Takes ${one(model)} out of the trash, and answers with it.`,
      pathParameters: lookupParameter(lookup),
      ...selectionParameters(outputs),
      answer: shownAnswer(context, model, outputs.widest, options, outputs.isSelectable),
      headerParameters,
      refusals: ['invalidInput', 'notFound', 'conflict', ...refusals],
      runsCallables:
        options.outputMap !== undefined || asksCallables(options) || LifeCycle.takesPart(options),
    };
  }
}
