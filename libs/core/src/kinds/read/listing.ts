import type { KindContext } from '../../endpoint/kind.context.js';
import { traitsOf, type DescribedKind, type Handler } from '../../endpoint/compiled.kind.js';
import { Endpoint } from '../../endpoint/endpoint.js';
import type {
  EndpointOptions,
  FilterOptions,
  ReadableOptions,
} from '../../endpoint/options/endpoint.options.js';
import type {
  BodyDescription,
  OperationDescription,
} from '../../endpoint/description/operation.description.js';
import type { ColumnsOf } from '../../model/column.name.js';
import { NamedSchema, type JsonSchema } from '../../model/json.schema.js';
import type { Model } from '../../model/model.js';
import type { ControlsDescription } from '../../request/list.controls.js';
import { ListColumns, type ListColumnOptions } from '../../query/list.columns.js';
import type { PlanRequest } from '../../request/list.parameters.js';
import type { FixedPlan, PlanSource } from '../../query/plan.source.js';
import type { PagingOptions } from '../../query/paging.js';
import type { SearchPlan } from '../../query/near/near.plan.js';
import { sortable, visible } from '../../query/selection.js';
import type { ColumnUse } from '../../records/index.advice.js';
import type { RecordFilter } from '../../visibility/record.filter.js';
import { ConfigurationError } from '../../wire/configuration.error.js';
import { BadRequest } from '../../wire/refusals.js';
import { asksCallables, selectionParameters, shownRecord, subjectOf } from '../record/record.description.js';
import { recordOutput, type ChosenColumns, type RecordOutput } from '../record/record.output.js';
import { refuseOwnSegment } from '../record/own.segment.js';
import { recordsShown } from '../record/records.view.js';
import { recordsChecks, type RecordsOptions } from '../../endpoint/options/records.options.js';
import { SelectableOutput } from '../record/selectable.output.js';
import { liveChecks, type LiveOptions } from '../../endpoint/live/live.options.js';
import type { Representation } from '../../endpoint/answers/representation.js';
import { liveDescribed } from '../live/live.description.js';
import { liveRecords } from '../live/live.records.js';
import { NearAnswers } from './near/near.answers.js';
import { name as columnName } from '../../options/checks.js';
import type { ChecksOf, OptionChecks } from '../../options/option.check.js';
import { filterChecks, readableChecks } from '../../endpoint/options/endpoint.checks.js';
import { selectionChecks, type SelectionOptions } from '../../endpoint/options/selection.options.js';
import { pagingChecks } from '../../request/list.checks.js';

/** Parameters of List; the searches have them too. */
export interface ListOptions<
  E extends object,
  Entity = E,
  Readable extends string = ColumnsOf<Entity, E>['paths'],
  Text = string,
>
  extends
    ReadableOptions<E, Entity, Readable>,
    SelectionOptions<E, Entity>,
    FilterOptions<E, Entity, Text>,
    RecordsOptions,
    LiveOptions,
    ListColumnOptions,
    PagingOptions {
  /** The columns a client may sort by, relation paths included. */
  readonly sortableColumnNames: readonly ColumnsOf<Entity, NoInfer<E>>['paths'][];
  /** Not used by List itself; the searches filter by them. */
  readonly searchableColumnNames?: readonly ColumnsOf<Entity, NoInfer<E>>['paths'][];
  /** The order when the client asks for none. */
  readonly defaultSortColumnName: ColumnsOf<Entity, NoInfer<E>>['paths'];
  /** Shows one record for each distinct value of this column: the first in the order asked for. */
  readonly groupByColumnName?: ColumnsOf<Entity, NoInfer<E>>['paths'];
}

/** Reads what a request asks for. @throws BadRequest or InvalidInput */
export interface PlanReader {
  plan(request: PlanRequest): SearchPlan;
  /** Describes what clients may send, for generated documentation; left out, it shows no parameters. */
  describe?(): ControlsDescription;
}

/** The options without which no list can be compiled. */
export const requiredByLists = [
  'modelClass',
  'readableColumnNames',
  'sortableColumnNames',
  'defaultSortColumnName',
] as const;

/** The steps of a list, which its description tells of. */
interface ListSteps {
  readonly model: Model;
  readonly source: PlanSource;
  readonly reader: PlanReader;
  readonly outputs: SelectableOutput<RecordOutput>;
  /** Undefined where nothing is searched near to something. */
  readonly near: NearAnswers | undefined;
  readonly representations: readonly Representation[];
}

/** The part that List and the searches share: parameters are read into a plan, the plan is read as a page. */
export abstract class Listing<
  E extends object,
  Options extends ListOptions<E>,
  Given extends EndpointOptions = Options,
> extends Endpoint<Options, Given> {
  static override readonly optionChecks: OptionChecks = {
    ...readableChecks,
    ...selectionChecks,
    ...filterChecks,
    ...recordsChecks,
    ...liveChecks,
    ...pagingChecks,
    groupByColumnName: columnName,
  } satisfies ChecksOf<Omit<ListOptions<object>, keyof EndpointOptions>>;

  override readonly requiredOptions: readonly string[] = requiredByLists;
  override readonly readsBody = true;
  override readonly operation = 'list';
  override readonly effect = 'reads';

  override readonly repliesPlainly = this.options.outputMap !== undefined;

  /** Makes the reader of the parameters of this kind. */
  protected abstract planReader(source: PlanSource, context: KindContext): PlanReader;

  /** True if search terms have no operator, so that every searchable column must know its own. */
  protected readonly searchesByTerm: boolean = false;

  /** True if a body may ask for the records that are near to something. */
  protected readonly searchesNear: boolean = false;

  /** False if the query string has no controls, so that the body alone says what is shown. */
  protected readonly readsQuery: boolean = true;

  /** In documents, which records a page has; a sentence goes on with it. */
  protected readonly listed: string = '';

  /** In documents the operation's id begins with it. */
  protected readonly verb: string = 'list';

  override compile(context: KindContext): DescribedKind {
    const listed: Readonly<ListOptions<E>> = this.options;
    const { model, filter, source } = this.#planned(context);
    const { paging, columns } = source;
    const reader = this.planReader(source, context);
    const output = (chosen?: ChosenColumns): RecordOutput =>
      recordOutput(context, model, listed, undefined, undefined, chosen);
    const outputs = SelectableOutput.of(context, model, listed, output);
    const { usual } = outputs;
    const near = this.searchesNear
      ? NearAnswers.of(columns.searchable, (adding) =>
          SelectableOutput.of(context, model, listed, (chosen) =>
            output({ ...chosen, shown: adding(chosen?.shown ?? usual.shown) }),
          ),
        )
      : undefined;
    const representations = liveRecords(context, model, filter, listed, {
      isOne: false,
      readsQuery: this.readsQuery,
      plan: ({ request: { path }, query, body }) => {
        const plan = reader.plan({ path, query, body });
        if (plan.near !== undefined) throw new BadRequest('A stream has no distances');
        return { plan };
      },
    });
    const selecting: Handler = async (request) => {
      const { path, queryParameters } = request;
      const body = request.jsonObject() ?? new Map<string, unknown>();
      const { output, ...others } = outputs.taken(queryParameters, body, this.readsQuery);
      const plan = reader.plan({ path, ...others });
      if (plan.near !== undefined && near !== undefined) return near.page(request, filter, plan, plan.near);
      return output.page(request, filter, plan, paging);
    };
    const handle: Handler = async (request) => {
      const { path, queryParameters: query } = request;
      const plan = reader.plan({ path, query, body: request.jsonObject() ?? new Map() });
      if (plan.near !== undefined && near !== undefined) return near.page(request, filter, plan, plan.near);
      return usual.page(request, filter, plan, paging);
    };
    return {
      ...traitsOf(filter, usual, {
        columnUses: [...usesOf(model, columns)],
        ...recordsShown(context, model, listed),
      }),
      representations,
      isOneStatement: outputs.widest.readsAtOnce,
      handle: outputs.isSelectable ? selecting : handle,
      describe: () => this.#described(context, { model, source, outputs, reader, near, representations }),
    };
  }

  #described(
    context: KindContext,
    { model, source, outputs, reader, near, representations }: ListSteps,
  ): OperationDescription {
    const listed: Readonly<ListOptions<E>> = this.options;
    const { paging, names } = source;
    const controls = reader.describe?.();
    const subject = subjectOf(context, model);
    const { shown: widest } = outputs.widest;
    const shown = near === undefined ? widest : [...widest, near.distance];
    const { queryParameters = {}, listParameters } = selectionParameters(outputs);
    const isLinked = context.settings.answers.linksPages;
    const next = isLinked ? 'ask where `Link` says' : `send what \`${names.control('next_page')}\` says`;
    return liveDescribed(context, representations, {
      verb: this.verb,
      summary: `${this.verb === 'list' ? 'List' : 'Search'} ${model.meta.className} records`,
      description: `Answers ${model.meta.className} records${this.listed}, sorted, a page at a time: for the next one ${next}.`,
      queryParameters: { ...controls?.query, ...(this.readsQuery ? queryParameters : {}) },
      listParameters,
      body:
        controls?.body === undefined
          ? undefined
          : bodyOf(
              `${subject}Search`,
              { ...controls.body, ...queryParameters },
              {
                [names.control('limit')]: paging.limitSchema.default,
              },
            ),
      answer: {
        kind: 'envelope',
        name: `${subject}${outputs.isSelectable ? 'Selection' : ''}Page`,
        data: {
          type: 'array',
          items: shownRecord(context, model, shown, listed, outputs.isSelectable),
        },
        paging: {
          counts: paging.count !== 'none',
          isVaried: near !== undefined,
          next: { word: paging.nextWord, schema: paging.wordSchemas[paging.nextWord] ?? {} },
        },
      },
      refusals: controls?.refusals ?? [],
      asksAlike: true,
      runsCallables: listed.outputMap !== undefined || asksCallables(listed),
    });
  }

  /** The parts that plans are read with. */
  #planned(context: KindContext): {
    readonly model: Model;
    readonly filter: RecordFilter;
    readonly source: PlanSource;
  } {
    const listed: Readonly<ListOptions<E>> = this.options;
    const model = context.model(listed);
    refuseOwnSegment(context, this, model);
    const filter = context.filter(model, listed);
    const paging = context.paging(model, { ...context.root, ...listed });
    const fixed = { conditions: filter.conditions, groupBy: groupBy(context, model, listed) };
    refuseWithoutSql(context, model, {
      pagination: paging.readsCursor,
      groupByColumnName: fixed.groupBy,
    });
    const { owner, names } = context;
    const columns = new ListColumns(owner, model, names, listed, this.searchesByTerm);
    const forcesText = listed.transformInputTypes ?? false;
    const subject = subjectOf(context, model);
    return { model, filter, source: { owner, subject, names, columns, paging, fixed, forcesText } };
  }
}

function bodyOf(
  name: string,
  properties: Readonly<Record<string, JsonSchema>>,
  example: object,
): BodyDescription {
  const schema = { type: 'object', properties, additionalProperties: false, examples: [example] } as const;
  return { schema: { $ref: new NamedSchema(name, schema) }, isRequired: false };
}

function groupBy(
  { owner }: KindContext,
  model: Model,
  { groupByColumnName: name }: { readonly groupByColumnName?: string },
): FixedPlan['groupBy'] {
  if (name === undefined) return undefined;
  return sortable(owner, visible(owner, model, name, 'groupByColumnName'), 'groupByColumnName');
}

/** A backend of the user's own reads pages by their number, and groups nothing. */
function refuseWithoutSql(
  context: KindContext,
  model: Model,
  options: Readonly<Record<string, unknown>>,
): void {
  if (context.store(model).knowsSql) return;
  const [used] = Object.entries(options).find(([, value]) => value !== undefined && value !== false) ?? [];
  if (used !== undefined)
    throw new ConfigurationError(context.owner, used, 'a backend of your own cannot do this');
}

function* usesOf(model: Model, { sortable, searchable, defaultSort }: ListColumns): Generator<ColumnUse> {
  yield { model, path: defaultSort, use: 'sorted' };
  for (const { path } of sortable.values()) yield { model, path, use: 'sorted' };
  for (const { path } of searchable.values()) yield { model, path, use: 'searched' };
}
