import type { KindContext } from '../../endpoint/kind.context.js';
import { traitsOf, type DescribedKind } from '../../endpoint/compiled.kind.js';
import type { OperationDescription } from '../../endpoint/description/operation.description.js';
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
import type { EndpointRequest } from '../../endpoint/request/endpoint.request.js';
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
import type { PlacedChange, PlacedInput } from '../../records/writes/bulk/bulk.writes.js';
import type { RecordInput } from '../../request/record.input.js';
import { searchLimitChecks } from '../../request/list.checks.js';
import type { SearchLimits } from '../../request/where.conditions.js';
import { outcomes } from '../../wire/outcome.table.js';
import { asksCallables, selectionParameters } from '../record/record.description.js';
import type { SelectableOutput } from '../record/selectable.output.js';
import { LifeCycle } from '../write/life.cycle.js';
import { WritePrecondition } from '../write/write.precondition.js';
import { BulkBody, type SentBulk } from './bulk.body.js';
import { Complaints } from './bulk.complaints.js';
import { BulkConditions } from './bulk.conditions.js';
import { listedAnswer, targetRefusals, updateBody } from './bulk.description.js';
import { BulkJudge } from './bulk.judge.js';
import {
  bulkChecks,
  byConditionsCheck,
  usualRecords,
  type BulkOptions,
  type BulkTargetOptions,
} from './bulk.options.js';
import { BulkOutput } from './bulk.output.js';
import { BulkTargets, type NamedTarget } from './bulk.targets.js';
import { refuseOwnSegment } from '../record/own.segment.js';
import { recordBulkWrites } from './record.bulk.writes.js';

/** Parameters of {@link UpdateMany}. */
export interface UpdateManyOptions<
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
    PreconditionOptions,
    SaveOptions<E, I>,
    BulkOptions,
    BulkTargetOptions,
    SearchLimits {
  /** The columns that conditions may be about. */
  readonly searchableColumnNames?: readonly ColumnsOf<Entity, NoInfer<E>>['paths'][];
}

type Names = NamesOf<UpdateManyOptions<object>>;

/** Changes many records, each in its own way or all in the same: all of them, or none. */
export class UpdateMany<
  E extends object = object,
  const I extends InjectMap = InjectMap,
  Entity = E,
  const Readable extends ColumnsOf<Entity, E>['paths'] = ColumnsOf<Entity, E>['paths'],
  const Lookup extends ColumnsOf<Entity, E>['own'] = never,
  Text = string,
> extends Endpoint<
  UpdateManyOptions<E, I>,
  OptionsOf<
    Entity,
    Names['all'],
    Names['required'],
    UpdateManyOptions<E, I, Entity, Readable, Lookup, Text>,
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
    ...bulkChecks,
    ...byConditionsCheck,
    ...searchLimitChecks,
  } satisfies ChecksOf<Omit<UpdateManyOptions<object>, keyof EndpointOptions | 'searchableColumnNames'>>;

  protected override readonly defaultMethods = ['PATCH'] as const;
  override readonly requiredOptions = ['modelClass', 'writeableColumnNames', 'readableColumnNames'];
  override readonly readsBody = true;
  override readonly operation = 'update';
  override readonly effect = 'writes';

  override readonly repliesPlainly = this.options.outputMap !== undefined;

  override compile(context: KindContext): DescribedKind {
    const { options } = this;
    const model = context.model(options);
    const conditions = BulkConditions.of(context, model, options);
    const forms =
      conditions === undefined ? (['records', 'ids'] as const) : (['records', 'ids', 'where'] as const);
    const body = new BulkBody(context.names, forms, true, options.maximumRecords ?? usualRecords);
    const precondition = new WritePrecondition(context, model, options);
    const targets = new BulkTargets(context, model, options, precondition);
    refuseOwnSegment(context, this, model);
    const judge = new BulkJudge(context, model, options, true);
    const outputs = BulkOutput.selectable(context, model, options, targets.path);
    const filter = context.filter(model, options);
    const lifeCycle = new LifeCycle(context, model, 'update', options);
    const found = { path: targets.path, filter, precondition };
    const plan = { judge, comparesStored: judge.comparesColumns, lifeCycle, found };
    const { writesOf, reasons, isOneStatement } = outputs.writing((output) =>
      recordBulkWrites(context, model, options, { ...plan, output }),
    );
    return {
      ...traitsOf(outputs.usual, filter, { reasons, isOneStatement }),
      handle: outputs.handling((output) => {
        const { writes } = writesOf(output);
        const answer = output.answering(outcomes.success.statusCode);
        return async (request) => {
          const sent = body.read(request.requiredJsonObject());
          if (sent.form === 'records') {
            const entries = targets.ofEntries(body.entries(sent));
            return writes.update(request, ownChanges(request, entries, judge), answer);
          }
          if (sent.form === 'ids') {
            const changes = sameChanges(request, targets.ofKeys(sent), sent, body, judge);
            return writes.update(request, changes, answer);
          }
          precondition.refuseUnnamed();
          const change = sharedInput(request, sent, body, judge);
          const met = conditions?.read(sent, body) ?? { conditions: [], maximum: 0 };
          new Complaints().of(change).refuse();
          return writes.updateMet(request, met, change, answer);
        };
      }),
      describe: () => this.#described(context, model, { targets, conditions, outputs }),
    };
  }

  #described(
    context: KindContext,
    model: Model,
    {
      targets,
      conditions,
      outputs,
    }: {
      readonly targets: BulkTargets;
      readonly conditions: BulkConditions | undefined;
      readonly outputs: SelectableOutput<BulkOutput>;
    },
  ): OperationDescription {
    const { options } = this;
    const { outputMap, inputValidationCallable } = options;
    return {
      verb: 'updateMany',
      summary: `Update ${model.meta.className} records`,
      description: `Changes all ${model.meta.className} records that the body names, or none. What is wrong with one is told by its place.`,
      body: updateBody(context, model, { targets, conditions, options }),
      ...selectionParameters(outputs),
      answer: listedAnswer(context, model, outputs.widest, options, outputs.isSelectable),
      refusals: ['invalidInput', 'notFound', 'conflict', ...targetRefusals(options)],
      runsCallables:
        (outputMap ?? inputValidationCallable) !== undefined ||
        asksCallables(options) ||
        LifeCycle.takesPart(options),
    };
  }
}

/** Reads changes that each record has for itself. @throws InvalidInput */
function ownChanges(
  request: EndpointRequest,
  targets: Iterable<NamedTarget>,
  judge: BulkJudge,
): readonly PlacedChange<RecordInput>[] {
  const context = request.context();
  const complaints = new Complaints();
  const changes: PlacedChange<RecordInput>[] = [];
  for (const target of targets) {
    const change = { place: target.place, input: judge.read(target.members, () => context) };
    changes.push({ ...target, change });
    if (complaints.ofTarget(target).of(change).isFull) break;
  }
  complaints.refuse();
  return changes;
}

/** Reads changes that are the same for all records. @throws InvalidInput */
function sameChanges(
  request: EndpointRequest,
  targets: Iterable<NamedTarget>,
  sent: SentBulk,
  body: BulkBody,
  judge: BulkJudge,
): readonly PlacedChange<RecordInput>[] {
  const change = sharedInput(request, sent, body, judge);
  const complaints = new Complaints();
  const changes: PlacedChange<RecordInput>[] = [];
  for (const target of targets) {
    changes.push({ ...target, change });
    if (complaints.ofTarget(target).isFull) break;
  }
  complaints.of(change).refuse();
  return changes;
}

function sharedInput(
  request: EndpointRequest,
  sent: SentBulk,
  body: BulkBody,
  judge: BulkJudge,
): PlacedInput<RecordInput> {
  const { place, members } = body.changes(sent);
  return { place, input: judge.read(new Map(Object.entries(members)), () => request.context()) };
}
