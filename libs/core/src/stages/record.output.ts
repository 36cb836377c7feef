import type { OutputContext } from '../endpoint/endpoint.options.js';
import type { EndpointRequest } from '../endpoint/endpoint.request.js';
import type { Compilation } from '../endpoint/compilation.js';
import { PlainReply, TextReply, type Reply } from '../endpoint/reply.js';
import type { Model } from '../model/model.js';
import type { Paging } from '../query/paging.js';
import type { Condition, ListPlan, Selection } from '../query/query.plan.js';
import { selectionOf } from '../query/selection.js';
import type { RecordFilter } from '../records/record.filter.js';
import type { LoadedRecord, RecordReading } from '../records/record.store.js';
import type { Session } from '../records/session.js';
import type { Pagination } from '../wire/envelope.writer.js';
import type { NameTable } from '../wire/name.table.js';
import { NotFound } from '../wire/refusals.js';

type OutputMap = (context: never) => unknown;

/** A request with the session that is its own. */
interface Asked {
  readonly session: Session;
  readonly request: EndpointRequest;
}

/** How records become a reply. */
interface Replies<One, Many> {
  one(asked: Asked, record: One, statusCode?: number): Reply | Promise<Reply>;
  many(asked: Asked, records: Many, pagination: Pagination): Reply | Promise<Reply>;
}

/** The usual way: rows become JSON text, nothing in between. */
const textReplies: Replies<string, string> = {
  one: (_asked, record, statusCode) => new TextReply(record, undefined, statusCode),
  many: (_asked, records, pagination) => new TextReply(records, pagination),
};

/** With `outputMap`: every record is loaded as an entity too, and replaced by what the function gives. */
function mappedReplies(map: OutputMap): Replies<LoadedRecord, readonly LoadedRecord[]> {
  const mapped = ({ session, request }: Asked, loaded: LoadedRecord): unknown => {
    const context: OutputContext = { ...request.context(() => session.em), ...loaded };
    return map(context as never);
  };
  return {
    one: async (asked, record, statusCode) =>
      new PlainReply(await mapped(asked, record), undefined, statusCode),
    many: async (asked, records, pagination) => {
      const data: unknown[] = [];
      for (const record of records) data.push(await mapped(asked, record));
      return new PlainReply(data, pagination);
    },
  };
}

/** Answers with records, narrowed by what the endpoint's `where` and `joins` say. Made once per endpoint. */
export interface RecordOutput {
  /** @throws NotFound when no visible record meets the condition */
  one(asked: Asked, filter: RecordFilter, condition: Condition): Promise<Reply>;
  /** A record this request has just written. */
  written(asked: Asked, id: unknown, statusCode: number): Promise<Reply>;
  /** @param plan with the filter's conditions among its own */
  page(asked: Asked, filter: RecordFilter, plan: ListPlan, paging: Paging): Promise<Reply>;
}

class Output<One, Many> implements RecordOutput {
  constructor(
    private readonly reading: RecordReading<One, Many>,
    private readonly replies: Replies<One, Many>,
  ) {}

  async one(asked: Asked, filter: RecordFilter, condition: Condition): Promise<Reply> {
    const narrowed = await narrowedBy(filter, asked);
    const record = await this.reading.find(asked.session, [...filter.conditions, condition], narrowed);
    return this.replies.one(asked, found(record));
  }

  async written(asked: Asked, id: unknown, statusCode: number): Promise<Reply> {
    return this.replies.one(asked, found(await this.reading.readBack(asked.session, id)), statusCode);
  }

  async page(asked: Asked, filter: RecordFilter, plan: ListPlan, paging: Paging): Promise<Reply> {
    const page = await this.reading.list(asked.session, plan, await narrowedBy(filter, asked));
    return this.replies.many(asked, page.data, paging.pagination(plan, page));
  }
}

/** The options that say how an endpoint answers with records. */
interface OutputSource {
  readonly readableColumnNames: readonly string[];
  readonly outputMap?: OutputMap | undefined;
}

/** @throws ConfigurationError for columns that are unknown, hidden, or relations without named columns */
export function recordOutput(
  compilation: Compilation,
  model: Model,
  { readableColumnNames, outputMap }: OutputSource,
): RecordOutput {
  const { owner, names } = compilation;
  const selection = selectionOf(owner, model, readableColumnNames);
  refuseCollisions(owner, names, selection);
  const store = compilation.store(model);
  const reason = outputMap === undefined ? store.reasonAgainstReads(selection) : 'outputMap gets entities';
  if (reason !== undefined) compilation.needsMikroOrm(reason);
  if (outputMap === undefined) return new Output(store.texts(selection, names), textReplies);
  return new Output(store.loaded(selection, names), mappedReplies(outputMap));
}

/** What narrows the records of one request. */
export function narrowedBy(
  filter: RecordFilter,
  { session, request }: Asked,
): ReturnType<RecordFilter['narrowed']> {
  return filter.narrowed(session, () => request.context(() => session.em));
}

function found<T>(record: T | undefined): T {
  if (record === undefined) throw new NotFound();
  return record;
}

/** Two members of one object must not have one key on the wire. */
function refuseCollisions(owner: string, names: NameTable, selection: Selection): void {
  names.index(owner, 'readableColumnNames', selection);
  for (const member of selection)
    if (member.kind !== 'column' && !('kind' in member.members))
      refuseCollisions(owner, names, member.members);
}
