import type { KindContext } from '../../endpoint/kind.context.js';
import type { EndpointRequest } from '../../endpoint/request/endpoint.request.js';
import type { RecordInput } from '../../request/record.input.js';
import type { Column } from '../../model/column.js';
import type { ColumnPath, Model } from '../../model/model.js';
import type { Condition, Selection } from '../../query/query.plan.js';
import type { RecordFilter } from '../../visibility/record.filter.js';
import type { BulkParts } from '../../records/writes/bulk/bulk.parts.js';
import { AnsweredBulkWrites, surelyAnswered } from '../../records/writes/bulk/answered.bulk.writes.js';
import { BulkUnitWrites } from '../../records/writes/bulk/bulk.unit.writes.js';
import type { BulkWrites } from '../../records/writes/bulk/bulk.writes.js';
import { leftWrites } from '../../records/writes/bulk/statement.left.js';
import { usualBodyLimit } from '../../request/raw.body.js';
import { UnfitModel } from '../../wire/configuration.error.js';
import type { BulkUpsertParts, BulkWriteSteps } from '../../records/writes/bulk/bulk.parts.js';
import { uniqueMessage } from '../../model/validators/unique.validator.js';
import { longestLine } from '../transfer/import.line.js';
import type { WatchedSteps } from '../write/life.cycle.js';
import {
  reasonOf,
  reasonOfRelatives,
  refuseReadonly,
  type SoftPlan,
  type WriteSource,
} from '../write/record.writes.js';
import type { WritePrecondition } from '../write/write.precondition.js';
import type { BulkConflict } from './bulk.conflict.js';
import { refuseIfInvalid, type BulkJudge } from './bulk.judge.js';
import { BulkLocator } from './bulk.locator.js';
import type { BulkOutput } from './bulk.output.js';

type Parts = BulkParts<EndpointRequest, RecordInput>;

/** The facts about the writes of an endpoint for many records that stages know. */
interface BulkPlan {
  readonly lifeCycle: Pick<WatchedSteps, 'reason' | 'isHeard' | 'events'> &
    BulkWriteSteps<EndpointRequest, RecordInput>;
  /** The judge of what clients send; undefined for deletions. */
  readonly judge?: BulkJudge;
  /** True if rules may compare what was sent with what is stored. */
  readonly comparesStored?: boolean;
  /** The way to the records that are written; undefined for new ones. */
  readonly found?: {
    readonly path: ColumnPath;
    readonly filter: RecordFilter;
    readonly precondition: WritePrecondition;
    /** Puts something around the way to them. Default nothing. */
    readonly around?: (locator: BulkLocator) => Parts['locator'];
  };
  /** The mark of deleted records, where the endpoint sets it. */
  readonly soft?: SoftPlan | undefined;
  /** The way of new records to those that are there already; left out where they are refused. */
  readonly upsert?: BulkConflict | undefined;
  /** Undefined where nothing of the records is answered. */
  readonly output?: BulkOutput | undefined;
  /** The writes to which a statement leaves what it cannot do. Default: the unit of work. */
  readonly behindStatement?: BulkWrites<EndpointRequest, RecordInput>;
}

/** The writes of an endpoint for many records. */
interface RecordBulkWrites {
  readonly writes: BulkWrites<EndpointRequest, RecordInput>;
  /** The writes as units of work, whatever else is possible. */
  readonly unit: BulkUnitWrites<EndpointRequest, RecordInput>;
  /** Reasons why they are units of work; none where a few statements do. */
  readonly reasons: readonly string[];
  readonly isOneStatement: boolean;
}

const noConditions: readonly Condition[] = [];
const noColumns: readonly Column[] = [];
const nothingShown: Selection = [];

const unjudged: Parts['judge'] = {
  judge: () => Promise.resolve(),
  confirm: () => Promise.resolve(),
  askAgain: () => Promise.resolve(),
  blame: () => Promise.resolve(),
};
const foundByNothing: Parts['locator'] = {
  locate: (_request, values) => Promise.resolve(values.map(() => undefined)),
  met: () => Promise.resolve([]),
};
const anyVersion: Parts['versions'] = { checkAll: () => Promise.resolve() };

/**
 * Chooses how an endpoint writes many records: by statements of our own where that can be, else by a unit of work. The
 * start-up log has the reason.
 *
 * @throws ConfigurationError for an entity that MikroORM does not write, and for a backend that cannot undo
 */
export function recordBulkWrites(
  context: KindContext,
  model: Model,
  options: WriteSource,
  plan: BulkPlan,
): RecordBulkWrites {
  refuseReadonly(context, model);
  const store = context.store(model);
  const { bulkWriting: writing } = store;
  if (writing === undefined)
    throw new UnfitModel(
      context.owner,
      `the records of ${model.meta.className} are in a backend of your own, which cannot write many as one`,
    );
  const { judge, found, soft, lifeCycle, output, upsert: conflict, comparesStored = false } = plan;
  const filter = found?.filter ?? conflict?.filter;
  const upsert =
    conflict === undefined || judge === undefined
      ? undefined
      : upsertParts(context, model, writing, conflict, judge);
  const unit = new BulkUnitWrites<EndpointRequest, RecordInput>({
    store,
    writing,
    idColumn: model.idPath.column,
    reading: output?.reading,
    keyOf: output?.keyOf ?? (() => undefined),
    judge: judge ?? unjudged,
    locator: found === undefined ? foundByNothing : locatorOf(context, model, writing, found),
    versions: found?.precondition ?? anyVersion,
    steps: lifeCycle,
    relatives: store.relatives,
    upsert,
  });
  const selection = output?.selection ?? nothingShown;
  const statement =
    lifeCycle.reason ??
    (soft && reasonOfRelatives(store, soft)) ??
    reasonOf(options, filter, comparesStored) ??
    store.bulkStatementWrites(
      {
        columns: judge?.columns ?? soft?.mark.columns ?? noColumns,
        lookup: found?.path,
        conflict: upsert && conflict && { ...upsert, paths: conflict.columns.paths },
        conditions: filter?.conditions ?? noConditions,
        selection,
        reading: output?.reading ?? store.reading(selection),
        statements: output?.statements,
        listeners: lifeCycle,
      },
      leftWrites<EndpointRequest, RecordInput>(),
    );
  if (typeof statement === 'string')
    return { writes: unit, unit, reasons: [statement], isOneStatement: false };
  const { bodyLimit = usualBodyLimit } = context.root;
  const sure = surelyAnswered(selection, Math.max(bodyLimit, longestLine));
  const writes = new AnsweredBulkWrites(statement, plan.behindStatement ?? unit, sure);
  return { writes, unit, reasons: [], isOneStatement: true };
}

function locatorOf(
  context: KindContext,
  model: Model,
  writing: Parts['writing'],
  { path, filter, around }: NonNullable<BulkPlan['found']>,
): Parts['locator'] {
  const locator = new BulkLocator(context, model, writing, path, filter);
  return around?.(locator) ?? locator;
}

function upsertParts(
  context: KindContext,
  model: Model,
  writing: Parts['writing'],
  conflict: BulkConflict,
  judge: BulkJudge,
): BulkUpsertParts<EndpointRequest, RecordInput> {
  const { columns, index, leaves } = conflict;
  const [path = model.idPath] = columns.paths;
  const locator = new BulkLocator(context, model, writing, path, conflict.filter);
  const changing = conflict.changing(context, model, judge);
  return {
    index,
    leaves,
    find: (request, all) => locator.find(request, all),
    keyOf: (input) => columns.keyOf(input),
    changes: (values) => new Map([...values].filter(([column]) => changing.has(column))),
    refuseTaken: (records) => {
      for (const { input } of records)
        if (input !== undefined) judge.complain(input, columns.columns, uniqueMessage);
      refuseIfInvalid(records);
    },
    refuseRepeated: (record, earlier) => {
      conflict.refuseRepeated(judge, record, earlier);
    },
  };
}
