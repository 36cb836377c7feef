import type { Platform } from '@mikro-orm/core';
import type { OutputContext } from '../../endpoint/options/endpoint.options.js';
import type { EndpointRequest } from '../../endpoint/request/endpoint.request.js';
import type { KindTraits } from '../../endpoint/compiled.kind.js';
import type { KindContext } from '../../endpoint/kind.context.js';
import { PlainReply, TextReply, type RecordReply, type Reply } from '../../endpoint/reply.js';
import type { Model } from '../../model/model.js';
import type { Paging } from '../../query/paging.js';
import type { Condition, ListPlan, SelectedColumn, Selection } from '../../query/query.plan.js';
import { selectionOf } from '../../query/selection.js';
import type { RecordFilter } from '../../visibility/record.filter.js';
import { plainRow, type PlainRecord } from '../../sql/plain.row.js';
import { withoutEntities } from '../../records/held.entities.js';
import type { RecordReading, RowPage } from '../../records/record.store.js';
import type { Row, RowLayout } from '../../sql/row.layout.js';
import { rowsText, rowWriter, type RowWriter } from '../../sql/row.writer.js';
import type { Fragment } from '../../sql/restriction.js';
import type { StatementCache } from '../../sql/statement.cache.js';
import type { UpsertAnswer, WriteAnswer } from '../../records/writes/writes.js';
import type { Pagination } from '../../wire/pagination.js';
import { NameTable } from '../../wire/name.table.js';
import { outcomes } from '../../wire/outcome.table.js';
import { NotFound } from '../../wire/refusals.js';
import { jsonOf, refuseTooLong } from '../../wire/json.text.js';
import type { EntityTags } from './entity.tags.js';
import { refusedLookup, refusedSearch } from './refused.values.js';

type OutputMap = (context: never) => unknown;

const nothing: readonly Fragment[] = [];

/** The writers of rows as a reply. */
interface RowReplies {
  /** @param isNew whether the url of the record is told, where the endpoint tells it at all. Default true */
  one(
    request: EndpointRequest,
    row: Row,
    statusCode?: number,
    isNew?: boolean,
  ): RecordReply | Promise<RecordReply>;
  many(
    request: EndpointRequest,
    rows: readonly Row[],
    pagination?: Pagination,
    statusCode?: number,
  ): RecordReply | Promise<RecordReply>;
}

/** Gives the url at which a record can be read; undefined for one that nobody can ask for. */
type Locate = (request: EndpointRequest, row: Row) => string | undefined;

/** The usual way: rows become JSON text, nothing in between. */
function textReplies(write: RowWriter, tags: EntityTags | undefined, locate: Locate | undefined): RowReplies {
  return {
    one: (request, row, statusCode, isNew = true) => {
      const data = write(row);
      const place = isNew ? locate?.(request, row) : undefined;
      return new TextReply(data, undefined, statusCode, undefined, tags?.of(row, data), place);
    },
    many: (_request, rows, pagination, statusCode) =>
      new TextReply(rowsText(rows, write), pagination, statusCode),
  };
}

/** With `outputMap`: every record is loaded as an entity too, and replaced by what the function gives. */
function mappedReplies(
  map: OutputMap,
  plain: (row: Row) => PlainRecord,
  { atStored }: RowLayout,
  tags: EntityTags | undefined,
  locate: Locate | undefined,
): RowReplies {
  const mapped = async (request: EndpointRequest, row: Row): Promise<unknown> => {
    const context: OutputContext = request.context({ record: plain(row), entity: row[atStored] as object });
    return withoutEntities(await map(context as never));
  };
  return {
    one: async (request, row, statusCode, isNew = true) => {
      const data = await mapped(request, row);
      const tag = tags?.of(row, jsonOf(data));
      const place = isNew ? locate?.(request, row) : undefined;
      return new PlainReply(data, undefined, statusCode, undefined, tag, place);
    },
    many: async (request, rows, pagination, statusCode) => {
      const data: unknown[] = [];
      for (const row of rows) data.push(await mapped(request, row));
      return new PlainReply(data, pagination, statusCode);
    },
  };
}

/** The parts that the answers of an endpoint are made with. */
interface OutputParts {
  readonly shown: Selection;
  /** The selection that is read. */
  readonly selection: Selection;
  readonly statements: StatementCache | undefined;
  readonly isTagged: boolean;
  readonly reading: RecordReading;
  readonly replies: RowReplies;
  /** The reason why the records are read through MikroORM; undefined where they are not. */
  readonly reason: string | undefined;
}

/** Answers with records, narrowed by what the endpoint's `where` and `joins` say. Made once per endpoint. */
export class RecordOutput implements KindTraits {
  /** The selection that is answered of each record. */
  readonly shown: Selection;
  /** The selection that is read of each record: what is shown, and what its entity tag and its url are made of. */
  readonly selection: Selection;
  readonly reading: RecordReading;
  /** The cache for statements of what a client chose to see; undefined where each use has its own. */
  readonly statements: StatementCache | undefined;
  /** True if the answers have entity tags. */
  readonly isTagged: boolean;
  readonly reasons: readonly string[];
  /** True if all that is shown of records is read with one statement. */
  readonly readsAtOnce: boolean;
  readonly #replies: RowReplies;

  constructor({ shown, selection, statements, isTagged, reading, replies, reason }: OutputParts) {
    this.shown = shown;
    this.selection = selection;
    this.reading = reading;
    this.statements = statements;
    this.isTagged = isTagged;
    this.reasons = reason === undefined ? [] : [reason];
    this.readsAtOnce = reason === undefined && reading.layout.lists.length === 0;
    this.#replies = replies;
  }

  /** @throws NotFound when no visible record meets the condition */
  async one(request: EndpointRequest, filter: RecordFilter, condition: Condition): Promise<RecordReply> {
    const conditions = [...filter.conditions, condition];
    const narrowed = filter.needsSql ? await narrowedBy(filter, request) : nothing;
    let row: Row | undefined;
    try {
      row = await this.reading.find(request.session, conditions, narrowed);
    } catch (error) {
      throw refusedLookup(error);
    }
    if (row === undefined) throw new NotFound();
    return this.#replies.one(request, row);
  }

  /** Makes the answer with a record that a request has written. */
  answering(statusCode: number): WriteAnswer<EndpointRequest, RecordReply> {
    return (request, row) => checked(this.#replies.one(request, row, statusCode));
  }

  /** Makes the answer with a record that a request has created or changed. */
  answeringEither(createStatus: number): UpsertAnswer<EndpointRequest, RecordReply> {
    return (request, row, isNew) => {
      const statusCode = isNew ? createStatus : outcomes.success.statusCode;
      return checked(this.#replies.one(request, row, statusCode, isNew));
    };
  }

  /** Answers with several records that a request has written. */
  all(
    request: EndpointRequest,
    rows: readonly Row[],
    statusCode?: number,
  ): RecordReply | Promise<RecordReply> {
    return checked(this.#replies.many(request, rows, undefined, statusCode));
  }

  /** @param plan with the filter's conditions among its own */
  async page(
    request: EndpointRequest,
    filter: RecordFilter,
    plan: ListPlan,
    paging: Pick<Paging, 'pagination'>,
  ): Promise<Reply> {
    const page = await this.#listed(request, filter, plan);
    return this.#replies.many(request, page.rows, paging.pagination(plan, page));
  }

  async #listed(request: EndpointRequest, filter: RecordFilter, plan: ListPlan): Promise<RowPage> {
    const narrowed = filter.needsSql ? await narrowedBy(filter, request) : nothing;
    try {
      return await this.reading.list(request.session, plan, narrowed);
    } catch (error) {
      if (asksPath(request, filter)) throw refusedLookup(error);
      // Without a term of the client's it is what the configuration says that the database refuses.
      throw plan.conditions.length > filter.conditions.length ? refusedSearch(error) : error;
    }
  }
}

/** The answer of a write. One that is too long is told while the write can be undone. @throws AnswerTooLong */
function checked(made: RecordReply | Promise<RecordReply>): RecordReply | Promise<RecordReply> {
  if (made instanceof Promise) return made.then(checked);
  if (made instanceof PlainReply) refuseTooLong(made.data);
  return made;
}

/** True if functions may have put the text of path parameters into the query, which no column has judged. */
function asksPath({ routingData, session }: EndpointRequest, filter: RecordFilter): boolean {
  const isAsked = filter.asksRequests || session.narrows(filter.entity);
  return isAsked && Object.keys(routingData).length > 0;
}

/** The way to say where a record can be read. */
interface RecordLocating {
  /** The column that the url is made of. */
  readonly selected: SelectedColumn;
  within(layout: RowLayout, platform: Platform): Locate;
}

/** The options that say how an endpoint answers with records. */
interface OutputSource {
  readonly readableColumnNames: readonly string[];
  readonly outputMap?: OutputMap | undefined;
}

/** The columns that a client chose to see. */
export interface ChosenColumns {
  readonly shown: Selection;
  /** The cache for their statements; left out, each use has its own. */
  readonly statements?: StatementCache;
}

/**
 * @param usualTags the tags of the endpoint's answers, where they are about one record that has a version
 * @param place where the records of the answers can be read, where that is to be told
 * @param chosen what a client chose to see; left out, `readableColumnNames` are shown
 * @param beside what is read beside what is shown
 * @throws ConfigurationError for columns that are unknown, hidden, or relations without named columns
 */
export function recordOutput(
  context: KindContext,
  model: Model,
  { readableColumnNames, outputMap }: OutputSource,
  usualTags?: EntityTags,
  place?: RecordLocating,
  chosen?: ChosenColumns,
  beside: Selection = [],
): RecordOutput {
  const { owner, names } = context;
  const tags = chosen === undefined ? usualTags : usualTags?.showing(chosen.shown);
  const shown = tags?.shown ?? chosen?.shown ?? selectionOf(owner, model, readableColumnNames);
  refuseCollisions(owner, names, shown);
  const store = context.store(model);
  const read = tags?.selection ?? shown;
  const selection = [...read, ...(place === undefined ? [] : [place.selected]), ...beside];
  const statements = chosen?.statements;
  const parts = { shown, selection, statements, isTagged: tags !== undefined };
  const { platform } = context.database.dialect;
  if (outputMap === undefined) {
    const reading = store.reading(selection, statements);
    const write = rowWriter(shown, reading.layout, names, platform);
    const replies = textReplies(write, tags, place?.within(reading.layout, platform));
    return new RecordOutput({ ...parts, reading, replies, reason: store.reasonAgainstReads(shown) });
  }
  const reading = store.readingStored(selection);
  const own = new NameTable(names.internal, names.internal);
  const plain = plainRow(shown, reading.layout, own, platform);
  const located = place?.within(reading.layout, platform);
  const replies = mappedReplies(outputMap, plain, reading.layout, tags, located);
  return new RecordOutput({ ...parts, reading, replies, reason: 'outputMap gets entities' });
}

/** Collects what narrows the records of one request. */
export function narrowedBy(
  filter: RecordFilter,
  request: EndpointRequest,
): ReturnType<RecordFilter['narrowed']> {
  return filter.narrowed(request.session, (more) => request.context(more));
}

/** Two members of one object must not have one key on the wire. */
function refuseCollisions(owner: string, names: NameTable, selection: Selection): void {
  names.index(owner, 'readableColumnNames', selection);
  for (const member of selection)
    if ('members' in member && !('kind' in member.members))
      refuseCollisions(owner, names.within, member.members);
}
