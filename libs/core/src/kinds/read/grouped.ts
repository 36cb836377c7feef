import { databaseCode } from '../../database/errors/database.error.js';
import type { KindContext } from '../../endpoint/kind.context.js';
import { Endpoint } from '../../endpoint/endpoint.js';
import type {
  EndpointOptions,
  FilterOptions,
  ModelOptions,
} from '../../endpoint/options/endpoint.options.js';
import type { BodyDescription } from '../../endpoint/description/operation.description.js';
import type { EndpointRequest } from '../../endpoint/request/endpoint.request.js';
import { filterChecks, modelChecks } from '../../endpoint/options/endpoint.checks.js';
import { RecentEntries } from '../../limits/recent.entries.js';
import type { ColumnsOf } from '../../model/column.name.js';
import { NamedSchema, type JsonSchema } from '../../model/json.schema.js';
import type { Model } from '../../model/model.js';
import { names as columnNames, wholeNumber } from '../../options/checks.js';
import type { ChecksOf, OptionChecks } from '../../options/option.check.js';
import type { GroupMember, GroupParts, GroupPlan } from '../../query/groups/group.plan.js';
import { groupSelection } from '../../query/groups/group.selection.js';
import { ListColumns, type NamedPath } from '../../query/list.columns.js';
import { OffsetPaging } from '../../query/offset.paging.js';
import type { PlanSource } from '../../query/plan.source.js';
import type { CountMode } from '../../query/query.plan.js';
import type { ColumnUse } from '../../records/index.advice.js';
import type { GroupPage, GroupReading } from '../../records/record.store.js';
import type { GroupRequest } from '../../request/groups/group.search.js';
import { searchLimitChecks } from '../../request/list.checks.js';
import { subjectOf } from '../record/record.description.js';
import type { SearchLimits } from '../../request/where.conditions.js';
import { RowLayout } from '../../sql/row.layout.js';
import { rowWriter, type RowWriter } from '../../sql/row.writer.js';
import type { RecordFilter } from '../../visibility/record.filter.js';
import { ConfigurationError } from '../../wire/configuration.error.js';
import { BadRequest } from '../../wire/refusals.js';
import { refuseOwnSegment } from '../record/own.segment.js';
import { narrowedBy } from '../record/record.output.js';
import { recordsShown } from '../record/records.view.js';
import { recordsChecks, type RecordsOptions } from '../../endpoint/options/records.options.js';
import type { RecordsView } from '../../model/soft/records.view.js';
import { refusedSearch } from '../record/refused.values.js';

/** Parameters of kinds that answer with groups of records. */
export interface GroupedOptions<E extends object, Entity = E, Text = string>
  extends ModelOptions<E, Entity>, FilterOptions<E, Entity, Text>, RecordsOptions, SearchLimits {
  /** The columns that conditions may be about, relation paths included. Default none. */
  readonly searchableColumnNames?: readonly ColumnsOf<Entity, NoInfer<E>>['paths'][];
  /** The searchable columns that every request must have a condition about. Default none. */
  readonly requiredColumnNames?: readonly ColumnsOf<Entity, NoInfer<E>>['paths'][];
  /** The number of groups in an answer when the client asks for none. */
  readonly limit?: number;
  /** The largest `limit` that a client may ask for. */
  readonly maximumLimit?: number;
  /**
   * The least number of records in a group that is shown. Smaller groups are left out, and not counted. It makes guesses about
   * single records harder, and is no full privacy. Default 1.
   */
  readonly minimumGroupSize?: number;
}

/** The parts of an endpoint that answers with groups. */
export interface GroupedParts {
  readonly model: Model;
  readonly filter: RecordFilter;
  readonly plan: PlanSource;
  readonly required: readonly NamedPath[];
  readonly columnUses: readonly ColumnUse[];
  /** The records that groups are made of. */
  readonly records: RecordsView;
}

/** The way in which the rows of groups are read and written. */
export interface GroupWriting {
  readonly layout: RowLayout;
  readonly write: RowWriter;
}

/** The most sets of values whose writers are kept. */
const keptWritings = 100;

/** Numbers of PostgreSQL that are out of their range. */
const outOfRange = '22003';

/** The part that Aggregate and Facets share: which records there are, and how groups of them are read. */
export abstract class Grouped<
  E extends object,
  Options extends GroupedOptions<E>,
  Given extends EndpointOptions = Options,
> extends Endpoint<Options, Given> {
  static override readonly optionChecks: OptionChecks = {
    ...modelChecks,
    ...filterChecks,
    ...recordsChecks,
    ...searchLimitChecks,
    requiredColumnNames: columnNames,
    limit: wholeNumber(1),
    maximumLimit: wholeNumber(1),
    minimumGroupSize: wholeNumber(1),
  } satisfies ChecksOf<Omit<GroupedOptions<object>, keyof EndpointOptions>>;

  protected override readonly defaultMethods = ['GET', 'POST', 'QUERY'] as const;
  override readonly readsBody = true;
  override readonly operation = 'list';
  override readonly effect = 'reads';
  override readonly repliesPlainly = false;

  /** @param limits the options' defaults */
  protected partsOf(
    context: KindContext,
    limits: { readonly limit: number; readonly maximumLimit: number },
    count: CountMode,
  ): GroupedParts {
    const options: Readonly<GroupedOptions<E>> = this.options;
    const { owner, names } = context;
    const model = context.model(options);
    refuseOwnSegment(context, this, model);
    const filter = context.filter(model, options);
    const { maximumLimit = limits.maximumLimit } = options;
    const { limit: defaultLimit = Math.min(limits.limit, maximumLimit) } = options;
    if (defaultLimit > maximumLimit)
      throw new ConfigurationError(
        owner,
        'limit',
        `${defaultLimit} is above maximumLimit, which is ${maximumLimit}`,
      );
    const columns = new ListColumns(owner, model, names, {
      sortableColumnNames: [],
      searchableColumnNames: options.searchableColumnNames ?? [],
      defaultSortColumnName: model.idColumn.name,
    });
    const paging = new OffsetPaging(owner, { defaultLimit, maximumLimit, count });
    const fixed = { conditions: [], groupBy: undefined };
    const forcesText = options.transformInputTypes ?? false;
    const columnUses = [...columns.searchable.values()].map(({ path }) => ({
      model,
      path,
      use: 'searched' as const,
    }));
    return {
      model,
      filter,
      plan: { owner, subject: subjectOf(context, model), names, columns, paging, fixed, forcesText },
      required: this.#required(columns),
      columnUses,
      records: recordsShown(context, model, options).records ?? 'live',
    };
  }

  /** The reader of groups. @throws ConfigurationError for what the store cannot tell of them */
  protected readingOf(context: KindContext, model: Model, option: string, parts: GroupParts): GroupReading {
    const reading = context.store(model).grouping(parts);
    if (!('reason' in reading)) return reading;
    const { name, reason } = reading;
    throw new ConfigurationError(context.owner, option, name === undefined ? reason : `'${name}': ${reason}`);
  }

  /** Gives what reads a page of groups, and answers a value that the database refuses with a 400. */
  protected read(
    request: EndpointRequest,
    { filter }: GroupedParts,
    reading: GroupReading,
    plan: GroupPlan,
    { layout }: GroupWriting,
  ): Promise<GroupPage> {
    const conditions = [...filter.conditions, ...plan.conditions];
    return Promise.resolve(filter.needsSql ? narrowedBy(filter, request) : [])
      .then((narrowed) => reading.groups(request.session, { ...plan, conditions }, layout, narrowed))
      .catch((error: unknown) => {
        if (databaseCode(error) === outOfRange)
          throw new BadRequest('A number is out of the range of the database', { cause: error });
        throw plan.conditions.length + plan.having.length > 0 ? refusedSearch(error) : error;
      });
  }

  #required({ searchable }: ListColumns): readonly NamedPath[] {
    const { requiredColumnNames = [] }: Readonly<GroupedOptions<E>> = this.options;
    return requiredColumnNames.map((text) => {
      const found = [...searchable].find(([, { path }]) => path.text === text);
      if (found === undefined)
        throw new ConfigurationError(this.owner, 'requiredColumnNames', `'${text}' is not searchable`);
      return { name: found[0], path: found[1].path };
    });
  }
}

/** Makes what writes groups of some values, once for each set of them. */
export class GroupWritings {
  readonly #kept = new RecentEntries<string, GroupWriting>(keptWritings);

  constructor(private readonly context: KindContext) {}

  of(members: readonly GroupMember[]): GroupWriting {
    const key = members.map(({ text }) => text).join('\n');
    const known = this.#kept.get(key);
    if (known !== undefined) return known;
    const { names, database } = this.context;
    const selection = groupSelection(members);
    const layout = new RowLayout(selection);
    const writing = { layout, write: rowWriter(selection, layout, names, database.dialect.platform) };
    this.#kept.set(key, writing);
    return writing;
  }
}

/** The parts of a request that ask for groups: a body asks by itself, and so does a method that has one. */
export function askedBy(request: EndpointRequest): GroupRequest {
  const body = request.jsonObject();
  const isQueried = body === undefined && (request.method === 'GET' || request.method === 'HEAD');
  return { path: request.path, query: request.queryLists, body: isQueried ? undefined : (body ?? new Map()) };
}

/** The body of an endpoint that answers with groups. */
export function groupBody(name: string, properties: Readonly<Record<string, JsonSchema>>): BodyDescription {
  const schema = { type: 'object', properties, additionalProperties: false } as const;
  return { schema: { $ref: new NamedSchema(name, schema) }, isRequired: false };
}
