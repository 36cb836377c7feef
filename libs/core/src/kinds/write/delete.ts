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
import type { LookupUrl } from '../../endpoint/options/lookup.url.js';
import { TextReply } from '../../endpoint/reply.js';
import { emptyObject } from '../../model/json.schema.js';
import { LifeCycle } from './life.cycle.js';
import {
  asksCallables,
  casingSuffix,
  lookupParameter,
  lookupRefusals,
  one,
} from '../record/record.description.js';
import { RecordLookup } from '../record/record.lookup.js';
import { recordWrites } from './record.writes.js';
import { SoftMark } from './soft/soft.mark.js';
import { WritePrecondition } from './write.precondition.js';
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

/** Parameters of {@link Delete}. */
export interface DeleteOptions<
  E extends object,
  I extends InjectMap = InjectMap,
  Entity = E,
  Url extends string = string,
  Lookup extends string = never,
  Text = string,
>
  extends
    ModelOptions<E, Entity>,
    LookupOptions<E, Lookup>,
    FilterOptions<E, Entity, Text>,
    PreconditionOptions,
    RemovalOptions<E, I> {
  /** Must hold a parameter named like the lookup column, e.g. `cities/:id`. */
  readonly url: LookupUrl<Entity, NoInfer<E>, Url, NoInfer<Lookup>>;
}

type Names = NamesOf<DeleteOptions<object>>;

/** Deletes one record (contract: Delete). */
export class Delete<
  E extends object = object,
  const I extends InjectMap = InjectMap,
  Entity = E,
  const Url extends string = string,
  const Lookup extends ColumnsOf<Entity, E>['own'] = never,
  Text = string,
> extends Endpoint<
  DeleteOptions<E, I>,
  OptionsOf<Entity, Names['all'], Names['required'], DeleteOptions<E, I, Entity, Url, Lookup, Text>, E>
> {
  static override readonly optionChecks: OptionChecks = {
    ...modelChecks,
    ...lookupChecks,
    ...filterChecks,
    ...preconditionChecks,
    ...removalChecks,
  } satisfies ChecksOf<Omit<DeleteOptions<object>, keyof EndpointOptions>>;

  protected override readonly defaultMethods = ['DELETE'] as const;
  override readonly requiredOptions = ['modelClass', 'url'];
  override readonly repliesPlainly = false;
  override readonly readsBody = false;
  override readonly operation = 'delete';
  override readonly effect = 'writes';

  override compile(context: KindContext): DescribedKind {
    const { options } = this;
    const model = context.model(options);
    const lookup = RecordLookup.of(context, model, options);
    const filter = context.filter(model, options);
    const lifeCycle = new LifeCycle(context, model, 'delete', options);
    const precondition = new WritePrecondition(context, model, options);
    const mark = SoftMark.of(context, model);
    const plan = { lifeCycle, found: { lookup, filter, precondition }, soft: mark && { mark } };
    const { writes, ...traits } = recordWrites(context, model, {}, plan);
    const { headerParameters, refusals } = WritePrecondition.described(options);
    return {
      ...traitsOf(filter, precondition, traits),
      rules: this.compile === Delete.prototype.compile ? 'delete' : undefined,
      handle: async (request) => {
        const value = lookup.value(request.routingData);
        const expected = precondition.read(request);
        await writes.delete(request, { value, expected }, mark?.deleted(request.context()));
        return new TextReply('{}');
      },
      describe: () => ({
        verb: 'delete',
        summary: `Delete ${one(model)}`,
        description: `Deletes ${one(model)}, found by what the path names.`,
        pathParameters: lookupParameter(lookup),
        answer: { kind: 'envelope', name: `EmptyAnswer${casingSuffix(context)}`, data: emptyObject },
        headerParameters,
        refusals: [...lookupRefusals(options), 'conflict', ...refusals],
        runsCallables: asksCallables(options) || LifeCycle.takesPart(options),
      }),
    };
  }
}
