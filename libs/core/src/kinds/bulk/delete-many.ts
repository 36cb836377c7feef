import type { KindContext } from '../../endpoint/kind.context.js';
import { traitsOf, type DescribedKind } from '../../endpoint/compiled.kind.js';
import { Endpoint } from '../../endpoint/endpoint.js';
import type {
  EndpointOptions,
  FilterOptions,
  LookupOptions,
  ModelOptions,
  PreconditionOptions,
} from '../../endpoint/options/endpoint.options.js';
import type { InjectMap } from '../../endpoint/request/injection.js';
import type { RemovalOptions } from '../../endpoint/options/life.cycle.options.js';
import { TextReply, type RecordReply } from '../../endpoint/reply.js';
import type { EndpointRequest } from '../../endpoint/request/endpoint.request.js';
import { emptyObject } from '../../model/json.schema.js';
import type { ColumnsOf } from '../../model/column.name.js';
import type { NamesOf, OptionsOf } from '../../endpoint/options/given.options.js';
import type { ChecksOf, OptionChecks } from '../../options/option.check.js';
import {
  filterChecks,
  lookupChecks,
  modelChecks,
  preconditionChecks,
  removalChecks,
} from '../../endpoint/options/endpoint.checks.js';
import type { BulkAnswer, PlacedTarget } from '../../records/writes/bulk/bulk.writes.js';
import { searchLimitChecks } from '../../request/list.checks.js';
import type { SearchLimits } from '../../request/where.conditions.js';
import { outcomes } from '../../wire/outcome.table.js';
import { asksCallables, casingSuffix } from '../record/record.description.js';
import { LifeCycle } from '../write/life.cycle.js';
import { SoftMark } from '../write/soft/soft.mark.js';
import { WritePrecondition } from '../write/write.precondition.js';
import { BulkBody } from './bulk.body.js';
import { Complaints } from './bulk.complaints.js';
import { BulkConditions } from './bulk.conditions.js';
import { deleteBody, listedAnswer, targetRefusals } from './bulk.description.js';
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

/** Parameters of {@link DeleteMany}. */
export interface DeleteManyOptions<
  E extends object,
  I extends InjectMap = InjectMap,
  Entity = E,
  Lookup extends string = never,
  Text = string,
>
  extends
    ModelOptions<E, Entity>,
    LookupOptions<E, Lookup>,
    FilterOptions<E, Entity, Text>,
    PreconditionOptions,
    RemovalOptions<E, I>,
    BulkOptions,
    BulkTargetOptions,
    SearchLimits {
  /** The columns that conditions may be about. */
  readonly searchableColumnNames?: readonly ColumnsOf<Entity, NoInfer<E>>['paths'][];
}

type Names = NamesOf<DeleteManyOptions<object>>;

/** Deletes many records: all of them, or none. */
export class DeleteMany<
  E extends object = object,
  const I extends InjectMap = InjectMap,
  Entity = E,
  const Lookup extends ColumnsOf<Entity, E>['own'] = never,
  Text = string,
> extends Endpoint<
  DeleteManyOptions<E, I>,
  OptionsOf<Entity, Names['all'], Names['required'], DeleteManyOptions<E, I, Entity, Lookup, Text>, E>
> {
  static override readonly optionChecks: OptionChecks = {
    ...modelChecks,
    ...lookupChecks,
    ...filterChecks,
    ...preconditionChecks,
    ...removalChecks,
    ...bulkChecks,
    ...byConditionsCheck,
    ...searchLimitChecks,
  } satisfies ChecksOf<Omit<DeleteManyOptions<object>, keyof EndpointOptions | 'searchableColumnNames'>>;

  protected override readonly defaultMethods = ['DELETE'] as const;
  override readonly requiredOptions = ['modelClass'];
  override readonly repliesPlainly = false;
  override readonly readsBody = true;
  override readonly operation = 'delete';
  override readonly effect = 'writes';

  override compile(context: KindContext): DescribedKind {
    const { options } = this;
    const model = context.model(options);
    const conditions = BulkConditions.of(context, model, options);
    const forms =
      conditions === undefined ? (['records', 'ids'] as const) : (['records', 'ids', 'where'] as const);
    const body = new BulkBody(context.names, forms, false, options.maximumRecords ?? usualRecords);
    const precondition = new WritePrecondition(context, model, options);
    const targets = new BulkTargets(context, model, options, precondition);
    refuseOwnSegment(context, this, model);
    const output =
      options.answer === 'ids' ? BulkOutput.of(context, model, { answer: 'ids' }, targets.path) : undefined;
    const filter = context.filter(model, options);
    const lifeCycle = new LifeCycle(context, model, 'delete', options);
    const found = { path: targets.path, filter, precondition };
    const mark = SoftMark.of(context, model);
    const plan = { lifeCycle, found, output, soft: mark && { mark } };
    const { writes, ...traits } = recordBulkWrites(context, model, {}, plan);
    const answer: BulkAnswer<EndpointRequest, RecordReply> =
      output?.answering(outcomes.success.statusCode) ?? (() => new TextReply('{}'));
    return {
      ...traitsOf(output, filter, traits),
      handle: async (request) => {
        const sent = body.read(request.requiredJsonObject());
        const set = mark?.deleted(request.context());
        if (sent.form === 'records')
          return writes.delete(request, judged(targets.ofEntries(body.entries(sent))), answer, set);
        if (sent.form === 'ids') return writes.delete(request, judged(targets.ofKeys(sent)), answer, set);
        precondition.refuseUnnamed();
        const met = conditions?.read(sent, body) ?? { conditions: [], maximum: 0 };
        return writes.deleteMet(request, met, answer, set);
      },
      describe: () => ({
        verb: 'deleteMany',
        summary: `Delete ${model.meta.className} records`,
        description: `Deletes all ${model.meta.className} records that the body names, or none. What is wrong with one is told by its place.`,
        body: deleteBody(context, model, { targets, conditions, options }),
        answer:
          output === undefined
            ? { kind: 'envelope', name: `EmptyAnswer${casingSuffix(context)}`, data: emptyObject }
            : listedAnswer(context, model, output, options),
        refusals: ['invalidInput', 'notFound', 'conflict', ...targetRefusals(options)],
        runsCallables: asksCallables(options) || LifeCycle.takesPart(options),
      }),
    };
  }
}

/** The records that are named, where nothing is wrong with it. @throws InvalidInput */
function judged(targets: Iterable<NamedTarget>): readonly PlacedTarget[] {
  const complaints = new Complaints();
  const named: PlacedTarget[] = [];
  for (const target of targets) {
    named.push(target);
    const [other] = target.members.keys();
    complaints.ofTarget(target);
    if (other !== undefined)
      complaints.add(`${target.place}.${other}`, `Input column ${other} is not an allowed input column.`);
    if (complaints.isFull) break;
  }
  complaints.refuse();
  return named;
}
