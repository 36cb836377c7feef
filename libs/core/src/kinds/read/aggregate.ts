import { traitsOf, type DescribedKind } from '../../endpoint/compiled.kind.js';
import type { OperationDescription } from '../../endpoint/description/operation.description.js';
import type { KindContext } from '../../endpoint/kind.context.js';
import type { EndpointOptions } from '../../endpoint/options/endpoint.options.js';
import type { NamesOf, OptionsOf } from '../../endpoint/options/given.options.js';
import { TextReply, type Reply } from '../../endpoint/reply.js';
import type { ColumnsOf } from '../../model/column.name.js';
import { NamedSchema } from '../../model/json.schema.js';
import {
  boolean,
  either,
  filledText,
  listOf,
  mapOf,
  name,
  objectWith,
  oneOfTexts,
  wholeNumber,
} from '../../options/checks.js';
import type { ChecksOf, OptionChecks } from '../../options/option.check.js';
import { databaseReason } from '../../database/errors/database.error.js';
import { buckets, calculations, type Calculation } from '../../query/groups/calculation.js';
import {
  groupingsOf,
  measuresOf,
  refuseAlike,
  type BucketedColumn,
} from '../../query/groups/group.columns.js';
import type { GroupPlan } from '../../query/groups/group.plan.js';
import { groupSchema } from '../../query/groups/group.selection.js';
import type { GroupPage, GroupReading } from '../../records/record.store.js';
import { aggregateControls } from '../../request/groups/aggregate.controls.js';
import { AggregateParameters, type AggregateSource } from '../../request/groups/aggregate.parameters.js';
import { rowsText } from '../../sql/row.writer.js';
import { ConfigurationError } from '../../wire/configuration.error.js';
import { asksCallables, subjectOf } from '../record/record.description.js';
import {
  askedBy,
  groupBody,
  Grouped,
  GroupWritings,
  type GroupedOptions,
  type GroupedParts,
  type GroupWriting,
} from './grouped.js';

/** The calculations by the column; `_Entity` is only printed, where a `Record` would print itself. */
type MeasurableColumns<_Entity, Columns extends string> = {
  readonly [Name in Columns as Name]?: readonly Calculation[];
};

/** Parameters of {@link Aggregate}. */
export interface AggregateOptions<E extends object, Entity = E, Text = string> extends GroupedOptions<
  E,
  Entity,
  Text
> {
  /**
   * The columns that a client may group by, those of parents included; of dates and date-times the spans,
   * `{ column: 'startsOn', buckets: ['month'] }`. Default none.
   */
  readonly groupableColumnNames?: readonly (
    ColumnsOf<Entity, NoInfer<E>>['paths'] | BucketedColumn<ColumnsOf<Entity, NoInfer<E>>['paths']>
  )[];
  /** The calculations that a client may ask for, by column: `{ population: ['sum', 'max'] }`. Default: the number of records alone. */
  readonly measurableColumnNames?: MeasurableColumns<Entity, ColumnsOf<Entity, NoInfer<E>>['paths']>;
  /** The most columns that one request may group by, from 1 to 8. Default 4. */
  readonly maximumGroupings?: number;
  /** The number of groups in an answer when the client asks for none. Default 100. */
  readonly limit?: number;
  /** The largest `limit` that a client may ask for. Default 1,000. */
  readonly maximumLimit?: number;
  /** True to tell the number of all groups, `exact`. Default `none`. */
  readonly count?: 'exact' | 'none';
  /** The time zone in which days begin, by its IANA name. Default `UTC`. */
  readonly timeZone?: string;
  /** True to have clients name the time zone, `time_zone=Europe/Paris`. Default false. */
  readonly clientSelectsTimeZone?: boolean;
}

type Names = NamesOf<AggregateOptions<object>>;

const groupable = either(
  "the name of a column, or { column: 'startsOn', buckets: ['month'] }",
  name,
  objectWith({ column: name, buckets: listOf('spans of time', oneOfTexts(...buckets), 1) }, [
    'column',
    'buckets',
  ]),
);

/** Answers with numbers about groups of records: how many there are, sums, means, the least and the greatest value. */
export class Aggregate<E extends object = object, Entity = E, Text = string> extends Grouped<
  E,
  AggregateOptions<E>,
  OptionsOf<Entity, Names['all'], Names['required'], AggregateOptions<E, Entity, Text>, E>
> {
  static override readonly optionChecks: OptionChecks = {
    groupableColumnNames: listOf("column names and { column: 'startsOn', buckets: ['month'] }", groupable),
    measurableColumnNames: mapOf(
      "an object with calculations by column, e.g. { population: ['sum'] }",
      listOf('calculations', oneOfTexts(...calculations)),
    ),
    maximumGroupings: wholeNumber(1, 8),
    count: oneOfTexts('exact', 'none'),
    timeZone: filledText,
    clientSelectsTimeZone: boolean,
  } satisfies ChecksOf<Omit<AggregateOptions<object>, keyof GroupedOptions<object> | keyof EndpointOptions>>;

  override readonly requiredOptions = ['modelClass'];

  override compile(context: KindContext): DescribedKind {
    const { options } = this;
    const parts = this.partsOf(context, { limit: 100, maximumLimit: 1000 }, options.count ?? 'none');
    const { model, filter, columnUses, records } = parts;
    const { source, reading } = this.#source(context, parts);
    const parameters = new AggregateParameters(source);
    const writings = new GroupWritings(context);
    const reason = context.store(model).reasonAgainstReads([]);
    const reasons = reason === undefined ? [] : [reason];
    return {
      ...traitsOf(filter, { columnUses, records, reasons, isOneStatement: true }),
      handle: async (request) => {
        const plan = await parameters.read(askedBy(request));
        const writing = writings.of([...plan.groupings, ...plan.measures]);
        return answerOf(plan, await this.read(request, parts, reading, plan, writing), writing);
      },
      describe: () => this.#described(context, parts, source, parameters),
    };
  }

  #source(
    context: KindContext,
    { model, plan, required }: GroupedParts,
  ): { readonly source: AggregateSource; readonly reading: GroupReading } {
    const { owner, names, root, settings } = context;
    const {
      groupableColumnNames = [],
      measurableColumnNames = {},
      maximumGroupings = 4,
      minimumGroupSize: minimum = 1,
      timeZone = 'UTC',
      clientSelectsTimeZone = false,
    } = this.options;
    const grouped = { owner, model, names };
    const groupings = groupingsOf(grouped, 'groupableColumnNames', groupableColumnNames);
    const measures = measuresOf(grouped, 'measurableColumnNames', measurableColumnNames);
    refuseAlike(owner, names, [...groupings.values(), ...measures.values()]);
    const all = { groupings: [...groupings.values()], measures: [...measures.values()] };
    const reading = this.readingOf(context, model, 'measurableColumnNames', all);
    if (clientSelectsTimeZone && !reading.knowsTimeZones)
      throw new ConfigurationError(
        owner,
        'clientSelectsTimeZone',
        'this database knows no time zones but UTC',
      );
    checkZone(context, reading, timeZone);
    const source: AggregateSource = {
      plan,
      limits: { ...root, ...this.options },
      linksPages: settings.answers.linksPages,
      required,
      groupings,
      measures,
      maximumGroupings,
      minimum,
      timeZone,
      knowsTimeZone: clientSelectsTimeZone ? (zone) => reading.knowsTimeZone(zone) : undefined,
    };
    return { source, reading };
  }

  #described(
    context: KindContext,
    { model }: GroupedParts,
    source: AggregateSource,
    parameters: AggregateParameters,
  ): OperationDescription {
    const { names } = context;
    const { query, body, besideBody, refusals = [] } = aggregateControls(source, parameters);
    const subject = subjectOf(context, model);
    const members = [...source.groupings.values(), ...source.measures.values()];
    const group = { $ref: new NamedSchema(`${subject}Group`, groupSchema(members, names)) };
    return {
      verb: 'aggregate',
      summary: `Aggregate ${model.meta.className} records`,
      description: `Answers numbers about ${model.meta.className} records: a list of groups, or one object where nothing is grouped by.`,
      queryParameters: query,
      listParameters: [names.control('group_by'), names.control('measure')],
      body: groupBody(`${subject}Aggregate`, body ?? {}),
      besideBody,
      answer: {
        kind: 'envelope',
        name: `${subject}Groups`,
        data: { anyOf: [{ type: 'array', items: group }, group] },
        paging: 'any',
      },
      refusals,
      runsCallables: asksCallables(this.options),
    };
  }
}

/** Stops the start for a time zone that the database does not know. One that cannot be asked yet says nothing against it. */
function checkZone(context: KindContext, reading: GroupReading, timeZone: string): void {
  if (timeZone === 'UTC') return;
  context.whenReady(async () => {
    const isKnown = await reading.knowsTimeZone(timeZone).catch((error: unknown) => {
      if (databaseReason(error) === 'unavailable') return true;
      throw error;
    });
    if (isKnown) return;
    throw new ConfigurationError(context.owner, 'timeZone', `'${timeZone}' is not known to the database`);
  });
}

function answerOf(
  plan: GroupPlan,
  { rows, hasMore, total }: GroupPage,
  { layout, write }: GroupWriting,
): Reply {
  if (plan.groupings.length === 0) {
    // Too few records read as none.
    const { measures } = plan;
    const none = layout.columns.map(({ text }) => (isCount(measures, text) ? 0 : null));
    return new TextReply(write(rows[0] ?? none));
  }
  const { limit, start } = plan;
  return new TextReply(rowsText(rows, write), {
    ...(total === undefined ? {} : { number_results: total }),
    limit,
    next_page: hasMore ? { start: start + limit } : {},
    start,
  });
}

function isCount(measures: GroupPlan['measures'], text: string): boolean {
  return measures.some((measure) => measure.text === text && measure.calculation.startsWith('count'));
}
