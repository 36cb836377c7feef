import type { KindContext } from '../../endpoint/kind.context.js';
import type { EndpointRequest } from '../../endpoint/request/endpoint.request.js';
import type { RecordInput } from '../../request/record.input.js';
import type { Column } from '../../model/column.js';
import type { ColumnPath, Model } from '../../model/model.js';
import type { Condition, Selection } from '../../query/query.plan.js';
import type { RecordFilter } from '../../visibility/record.filter.js';
import type { RecordStore } from '../../records/record.store.js';
import type { RelatedWrites, SoftParts, UnitParts, UpsertParts } from '../../records/writes/unit.parts.js';
import { UnitWrites } from '../../records/writes/unit.writes.js';
import type { Writes } from '../../records/writes/writes.js';
import { ConfigurationError } from '../../wire/configuration.error.js';
import { NotFound } from '../../wire/refusals.js';
import type { ConflictColumns } from './upsert/conflict.columns.js';
import type { RecordConflicts } from '../../records/record.store.js';
import type { InputJudge } from './input.judge.js';
import type { WatchedSteps } from './life.cycle.js';
import type { RestoreJudge } from './soft/restore.judge.js';
import type { SoftMark } from './soft/soft.mark.js';
import { RecordLocator } from '../record/record.locator.js';
import type { RecordOutput } from '../record/record.output.js';
import type { WritePrecondition } from './write.precondition.js';

/** The options that matter to how an endpoint writes. */
export interface WriteSource {
  readonly outputMap?: unknown;
  readonly inputValidationCallable?: unknown;
}

/** The facts about the writes of an endpoint that stages know. */
interface WritePlan {
  readonly lifeCycle: WatchedSteps;
  /** The judge of what clients send. */
  readonly judge?: InputJudge;
  /** True if rules may compare what was sent with what is stored. */
  readonly comparesStored?: boolean;
  /** The way to the record that is written; undefined for a new one. */
  readonly found?: FoundPlan;
  /** The mark of deleted records, where the endpoint sets it or takes it away. */
  readonly soft?: SoftPlan | undefined;
  /** The way of an Upsert, in place of {@link found}. */
  readonly upsert?: UpsertPlan;
  /** The selection and reading of what is answered. */
  readonly output?: Pick<RecordOutput, 'selection' | 'reading' | 'statements'>;
  /** The related records that bodies have; left out where they have none. */
  readonly related?: RelatedWrites<EndpointRequest, RecordInput> | undefined;
}

/** The way to find the record that a write is about. */
interface FoundPlan {
  /** The column by which it is found; a RecordLookup has it. */
  readonly lookup: { readonly path: ColumnPath };
  readonly filter: RecordFilter;
  /** Left out where clients cannot say which version they mean. */
  readonly precondition?: WritePrecondition;
}

/** The mark that a Delete sets, or that a Restore takes away, which judges the record. */
export interface SoftPlan {
  readonly mark: SoftMark;
  readonly judge?: RestoreJudge;
}

/** The way of an Upsert to the record that is there already. */
interface UpsertPlan {
  readonly conflict: ConflictColumns;
  /** The unique index of those columns. */
  readonly index: RecordConflicts;
  readonly judge: InputJudge;
  readonly filter: RecordFilter;
  readonly precondition: WritePrecondition;
  /** The columns in which a record that is there gets what was sent. */
  readonly changing: ReadonlySet<Column>;
}

/** The writes of an endpoint. */
export interface RecordWrites {
  readonly writes: Writes<EndpointRequest, RecordInput>;
  /** The writes as units of work, whatever else is possible. */
  readonly unit: UnitWrites<EndpointRequest, RecordInput>;
  /** Reasons why they are units of work; none where one statement does. */
  readonly reasons: readonly string[];
  readonly isOneStatement: boolean;
}

const noConditions: readonly Condition[] = [];
const noColumns: readonly Column[] = [];
const nothingShown: Selection = [];

const unjudged: UnitParts<EndpointRequest, RecordInput>['judge'] = {
  judge: () => Promise.resolve(),
  confirm: () => Promise.resolve(),
  explain: (error) => Promise.resolve(error),
};
const foundByNothing: UnitParts<EndpointRequest, RecordInput>['locator'] = {
  locate: () => Promise.reject(new NotFound()),
};
const anyVersion: UnitParts<EndpointRequest, RecordInput>['versions'] = { check: () => Promise.resolve() };

/**
 * Chooses how an endpoint writes: one statement where that can be, else a unit of work. The start-up log has the reason.
 *
 * @throws ConfigurationError for an entity that MikroORM does not write
 */
export function recordWrites(
  context: KindContext,
  model: Model,
  options: WriteSource,
  plan: WritePlan,
): RecordWrites {
  refuseReadonly(context, model);
  const store = context.store(model);
  const { judge, found, soft, upsert, lifeCycle, related, comparesStored = false } = plan;
  const parts = upsert && upsertParts(context, model, upsert);
  const filter = found?.filter ?? upsert?.filter;
  const { selection, reading, statements } = plan.output ?? {
    selection: nothingShown,
    reading: store.reading(nothingShown),
    statements: undefined,
  };
  const locator = found && new RecordLocator(context, model, found.lookup.path, found.filter);
  const unit = new UnitWrites<EndpointRequest, RecordInput>({
    store,
    reading,
    judge: judge ?? unjudged,
    locator: locator ?? foundByNothing,
    versions: found?.precondition ?? upsert?.precondition ?? anyVersion,
    steps: lifeCycle,
    upsert: parts,
    soft: soft && softParts(store, soft),
    related,
  });
  const writes =
    lifeCycle.reason ??
    (related && 'bodies have related records') ??
    (soft && reasonOfRelatives(store, soft)) ??
    reasonOf(options, filter, comparesStored) ??
    store.statementWrites(
      {
        columns: judge?.columns ?? softColumns(soft),
        lookup: found?.lookup.path,
        conflict: upsert && parts && { ...parts, paths: upsert.conflict.paths },
        conditions: filter?.conditions ?? noConditions,
        selection,
        reading,
        statements,
        listeners: lifeCycle,
      },
      unit,
    );
  if (typeof writes === 'string') return { writes: unit, unit, reasons: [writes], isOneStatement: false };
  return { writes, unit, reasons: [], isOneStatement: true };
}

function upsertParts(
  context: KindContext,
  model: Model,
  { conflict, index, judge, filter, changing }: UpsertPlan,
): UpsertParts<EndpointRequest, RecordInput> {
  const { columns } = conflict;
  const [path = model.idPath] = conflict.paths;
  const locator = new RecordLocator(context, model, path, filter);
  return {
    index,
    find: (request, values) => locator.find(request, values),
    keyOf: (input) => conflict.keyOf(input),
    changes: (values) => new Map([...values].filter(([column]) => changing.has(column))),
    refuseTaken: (input) => {
      judge.refuseTaken(input, columns);
    },
  };
}

/** The columns of a mark, and those whose values the database itself must refuse to be another record's, too. */
function softColumns(soft: SoftPlan | undefined): readonly Column[] {
  return [...(soft?.mark.columns ?? noColumns), ...(soft?.judge?.uniques ?? noColumns)];
}

/** The reason why a mark is more than one statement; undefined where it is one. */
export function reasonOfRelatives({ relatives }: RecordStore, { judge }: SoftPlan): string | undefined {
  return judge === undefined ? relatives?.reasonAgainstDelete : relatives?.reasonAgainstRestore;
}

const unjudgedMark: SoftParts<EndpointRequest>['judge'] = {
  judge: () => Promise.resolve(new Map()),
  explain: (error) => Promise.resolve(error),
};

function softParts(store: RecordStore, { mark, judge }: SoftPlan): SoftParts<EndpointRequest> | undefined {
  const { relatives } = store;
  if (relatives === undefined) return undefined;
  return { relatives, deletedAt: (record) => mark.timeOf(record), judge: judge ?? unjudgedMark };
}

/** MikroORM leaves out what it should write of such an entity, without an error. */
export function refuseReadonly(context: KindContext, model: Model): void {
  const { className, readonly, class: entity } = model.meta;
  if (context.database.changes?.meta.class === entity) {
    const told = 'the log of changes is written by the library alone';
    throw new ConfigurationError(context.owner, 'modelClass', told);
  }
  if (readonly !== true || !context.store(model).knowsSql) return;
  const problem = `MikroORM does not write ${className}, which is a view or readonly`;
  throw new ConfigurationError(context.owner, 'modelClass', `${problem}; a RestfulApi of it needs readOnly`);
}

/** Gives the reason why an endpoint's own functions and filters need MikroORM; undefined where they do not. */
export function reasonOf(
  { outputMap, inputValidationCallable }: WriteSource,
  filter: RecordFilter | undefined,
  comparesStored: boolean,
): string | undefined {
  if (outputMap !== undefined) return 'outputMap gets entities';
  if (inputValidationCallable !== undefined) return 'inputValidationCallable gets an entity manager';
  if (filter?.needsSql === true) return '`where` or `joins` bring a query';
  return comparesStored ? 'rules compare columns with what is stored' : undefined;
}
