import type { KindContext } from '../../endpoint/kind.context.js';
import { traitsOf, type DescribedKind } from '../../endpoint/compiled.kind.js';
import { Endpoint } from '../../endpoint/endpoint.js';
import type {
  EndpointOptions,
  FilterOptions,
  LookupOptions,
  ReadableOptions,
} from '../../endpoint/options/endpoint.options.js';
import type { LookupUrl } from '../../endpoint/options/lookup.url.js';
import {
  asksCallables,
  lookupParameter,
  lookupRefusals,
  one,
  selectionParameters,
  shownAnswer,
} from '../record/record.description.js';
import { EntityTags } from '../record/entity.tags.js';
import { conditional, conditionalRead } from '../record/known.answer.js';
import { RecordLookup } from '../record/record.lookup.js';
import { recordsShown } from '../record/records.view.js';
import { recordsChecks, type RecordsOptions } from '../../endpoint/options/records.options.js';
import { recordOutput } from '../record/record.output.js';
import { SelectableOutput } from '../record/selectable.output.js';
import { recordedKey } from '../../sql/row.writer.js';
import type { ColumnType } from '../../model/column.type.js';
import type { JsonSchema } from '../../model/json.schema.js';
import type { EndpointRequest } from '../../endpoint/request/endpoint.request.js';
import type { Condition, ListPlan } from '../../query/query.plan.js';
import { BadRequest } from '../../wire/refusals.js';
import { boolean, names } from '../../options/checks.js';
import { liveChecks, type LiveOptions } from '../../endpoint/live/live.options.js';
import { liveDescribed } from '../live/live.description.js';
import { liveRecords } from '../live/live.records.js';
import { TimeTravel, type TimeTravelOptions } from '../changes/time.travel.js';
import type { ColumnsOf } from '../../model/column.name.js';
import type { NamesOf, OptionsOf } from '../../endpoint/options/given.options.js';
import type { ChecksOf, OptionChecks } from '../../options/option.check.js';
import { filterChecks, lookupChecks, readableChecks } from '../../endpoint/options/endpoint.checks.js';
import { selectionChecks, type SelectionOptions } from '../../endpoint/options/selection.options.js';

/** Parameters of {@link Get}. */
export interface GetOptions<
  E extends object,
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
    RecordsOptions,
    TimeTravelOptions,
    LiveOptions {
  /** Must hold a parameter named like the lookup column, e.g. `cities/:id`. */
  readonly url: LookupUrl<Entity, NoInfer<E>, Url, NoInfer<Lookup>>;
}

type Names = NamesOf<GetOptions<object>>;

/** Fetches one record (contract: Get). */
export class Get<
  E extends object = object,
  Entity = E,
  const Readable extends ColumnsOf<Entity, E>['paths'] = ColumnsOf<Entity, E>['paths'],
  const Url extends string = string,
  const Lookup extends ColumnsOf<Entity, E>['own'] = never,
  Text = string,
> extends Endpoint<
  GetOptions<E>,
  OptionsOf<Entity, Names['all'], Names['required'], GetOptions<E, Entity, Readable, Url, Lookup, Text>, E>
> {
  static override readonly optionChecks: OptionChecks = {
    ...readableChecks,
    ...selectionChecks,
    ...lookupChecks,
    ...filterChecks,
    timeTravel: boolean,
    narrowedBy: names,
    ...recordsChecks,
    ...liveChecks,
  } satisfies ChecksOf<Omit<GetOptions<object>, keyof EndpointOptions>>;

  protected override readonly defaultMethods = ['GET'] as const;
  override readonly requiredOptions = ['modelClass', 'url', 'readableColumnNames'];
  override readonly readsBody = false;
  override readonly operation = 'get';
  override readonly effect = 'reads';

  override readonly repliesPlainly = this.options.outputMap !== undefined;

  override compile(context: KindContext): DescribedKind {
    const { options } = this;
    const model = context.model(options);
    const lookup = RecordLookup.of(context, model, options);
    const tags = EntityTags.of(context, model, options);
    const outputs = SelectableOutput.of(context, model, options, (chosen) =>
      recordOutput(context, model, options, tags, undefined, chosen),
    );
    const filter = context.filter(model, options);
    const isConditional = tags !== undefined;
    const travel = TimeTravel.of(context, model, lookup, filter, options);
    const representations = liveRecords(context, model, filter, options, {
      isOne: true,
      readsQuery: true,
      plan: ({ request }) => {
        const value = lookup.value(request.routingData);
        if (travel?.isAskedIn(request) === true) throw new BadRequest('A stream shows records as they are');
        const { column } = lookup.path;
        const subject = column === model.idColumn ? subjectOf(column.type, value) : undefined;
        return { plan: planOfOne(request, [...filter.conditions, lookup.condition(value)]), subject };
      },
    });
    const handle = outputs.handling((output) => async (request) => {
      const value = lookup.value(request.routingData);
      return output.one(request, filter, { path: lookup.path, comparison: '=', value });
    });
    return {
      ...traitsOf(
        outputs.usual,
        filter,
        isConditional ? conditional : undefined,
        recordsShown(context, model, options, lookup.path.column),
      ),
      representations,
      isOneStatement: outputs.widest.readsAtOnce && travel === undefined,
      handle: travel?.around(handle) ?? handle,
      describe: () =>
        liveDescribed(context, representations, {
          verb: 'get',
          summary: `Get ${one(model)}`,
          description: `Answers ${one(model)}, found by what the path names.`,
          pathParameters: lookupParameter(lookup),
          ...withTime(selectionParameters(outputs), travel),
          answer: shownAnswer(context, model, outputs.widest, options, outputs.isSelectable),
          refusals: [...lookupRefusals(options), ...(travel === undefined ? [] : (['badRequest'] as const))],
          ...(isConditional ? conditionalRead : {}),
          runsCallables: options.outputMap !== undefined || asksCallables(options),
        }),
    };
  }
}

/** The plan that finds one record. */
function planOfOne({ path }: EndpointRequest, conditions: readonly Condition[]): ListPlan {
  const none = { sorts: [], groupBy: undefined, readsCursor: false, count: 'none' } as const;
  return { requestPath: path, conditions, limit: 1, from: { start: 0 }, ...none };
}

function withTime<Given extends { readonly queryParameters?: Readonly<Record<string, JsonSchema>> }>(
  given: Given,
  travel: TimeTravel | undefined,
): Given {
  if (travel === undefined) return given;
  return { ...given, queryParameters: { ...given.queryParameters, ...travel.schemas } };
}

/** The key as changes name it, whose text is the database's. */
function subjectOf(type: ColumnType, value: unknown): string {
  const own = type.toDatabase(value);
  return recordedKey(type, own instanceof Date ? value : own);
}
