import type { OutputContext } from '../endpoint/endpoint.options.js';
import type { EndpointRequest } from '../endpoint/endpoint.request.js';
import type { Compilation } from '../endpoint/compilation.js';
import { PlainReply, TextReply, type RecordReply, type Reply } from '../endpoint/reply.js';
import type { Model } from '../model/model.js';
import type { Paging } from '../query/paging.js';
import type { Condition, ListPlan, Selection } from '../query/query.plan.js';
import { selectionOf } from '../query/selection.js';
import type { RecordFilter } from '../records/record.filter.js';
import type { LoadedRecord, RecordPage, RecordReading } from '../records/record.store.js';
import type { Pagination } from '../wire/envelope.writer.js';
import type { NameTable } from '../wire/name.table.js';
import { NotFound } from '../wire/refusals.js';
import { jsonOf } from '../wire/json.text.js';
import type { EntityTags } from './entity.tags.js';
import { refusedLookup, refusedSearch } from './refused.values.js';

type OutputMap = (context: never) => unknown;

/** How records become a reply. */
interface Replies<One, Many> {
  one(request: EndpointRequest, record: One, statusCode?: number): RecordReply | Promise<RecordReply>;
  many(request: EndpointRequest, records: Many, pagination: Pagination): Reply | Promise<Reply>;
}

/** The usual way: rows become JSON text, nothing in between. */
const textReplies: Replies<string, string> = {
  one: (_request, record, statusCode) => new TextReply(record, undefined, statusCode),
  many: (_request, records, pagination) => new TextReply(records, pagination),
};

/** The same for records that are read with their version. */
function taggedTexts(tags: EntityTags): Replies<string, string> {
  return {
    ...textReplies,
    one: (_request, record, statusCode) => taggedText(tags, record, statusCode),
  };
}

function taggedText(tags: EntityTags, record: string, statusCode?: number): TextReply {
  const { version, data } = tags.opened(record);
  return new TextReply(data, undefined, statusCode, tags.headers(version, data));
}

/** With `outputMap`: every record is loaded as an entity too, and replaced by what the function gives. */
function mappedReplies(map: OutputMap): Replies<LoadedRecord, readonly LoadedRecord[]> {
  return {
    one: async (request, record, statusCode) =>
      new PlainReply(await mapped(map, request, record), undefined, statusCode),
    many: async (request, records, pagination) => {
      const data: unknown[] = [];
      for (const record of records) data.push(await mapped(map, request, record));
      return new PlainReply(data, pagination);
    },
  };
}

/** The same for records that are read with their version. */
function taggedMaps(map: OutputMap, tags: EntityTags): Replies<LoadedRecord, readonly LoadedRecord[]> {
  return {
    ...mappedReplies(map),
    one: async (request, loaded, statusCode) => {
      const { version, data: record } = tags.parted(loaded.record);
      const data = await mapped(map, request, { ...loaded, record });
      return new PlainReply(data, undefined, statusCode, tags.headers(version, jsonOf(data)));
    },
  };
}

function mapped(map: OutputMap, request: EndpointRequest, loaded: LoadedRecord): unknown {
  const context: OutputContext = request.context(loaded);
  return map(context as never);
}

/** Answers with records, narrowed by what the endpoint's `where` and `joins` say. Made once per endpoint. */
export interface RecordOutput {
  /** @throws NotFound when no visible record meets the condition */
  one(request: EndpointRequest, filter: RecordFilter, condition: Condition): Promise<RecordReply>;
  /** A record this request has just written. */
  written(request: EndpointRequest, id: unknown, statusCode: number): Promise<RecordReply>;
  /** The same for what a direct write gave: the text of the record. */
  direct(text: string, statusCode: number): TextReply;
  /** @param plan with the filter's conditions among its own */
  page(request: EndpointRequest, filter: RecordFilter, plan: ListPlan, paging: Paging): Promise<Reply>;
}

class Output<One, Many> implements RecordOutput {
  constructor(
    private readonly reading: RecordReading<One, Many>,
    private readonly replies: Replies<One, Many>,
    private readonly tags?: EntityTags,
  ) {}

  async one(request: EndpointRequest, filter: RecordFilter, condition: Condition): Promise<RecordReply> {
    const narrowed = await narrowedBy(filter, request);
    let record: One | undefined;
    try {
      record = await this.reading.find(request.session, [...filter.conditions, condition], narrowed);
    } catch (error) {
      throw refusedLookup(error);
    }
    return this.replies.one(request, found(record));
  }

  async written(request: EndpointRequest, id: unknown, statusCode: number): Promise<RecordReply> {
    return this.replies.one(request, found(await this.reading.readBack(request.session, id)), statusCode);
  }

  direct(text: string, statusCode: number): TextReply {
    const { tags } = this;
    return tags === undefined
      ? new TextReply(text, undefined, statusCode)
      : taggedText(tags, text, statusCode);
  }

  async page(request: EndpointRequest, filter: RecordFilter, plan: ListPlan, paging: Paging): Promise<Reply> {
    const page = await this.#listed(request, filter, plan);
    return this.replies.many(request, page.data, paging.pagination(plan, page));
  }

  async #listed(request: EndpointRequest, filter: RecordFilter, plan: ListPlan): Promise<RecordPage<Many>> {
    const narrowed = await narrowedBy(filter, request);
    try {
      return await this.reading.list(request.session, plan, narrowed);
    } catch (error) {
      if (this.#asksPath(request, filter)) throw refusedLookup(error);
      // Without a term of the client's it is what the configuration says that the database refuses.
      throw plan.conditions.length > filter.conditions.length ? refusedSearch(error) : error;
    }
  }

  /** Whether functions may have put the text of path parameters into the query, which no column has judged. */
  #asksPath({ routingData, session }: EndpointRequest, filter: RecordFilter): boolean {
    const isAsked = filter.asksRequests || session.narrows(filter.entity);
    return isAsked && Object.keys(routingData).length > 0;
  }
}

/** The options that say how an endpoint answers with records. */
interface OutputSource {
  readonly readableColumnNames: readonly string[];
  readonly outputMap?: OutputMap | undefined;
}

/**
 * @param tags of the endpoint's answers, where they are about one record that has a version
 * @throws ConfigurationError for columns that are unknown, hidden, or relations without named columns
 */
export function recordOutput(
  compilation: Compilation,
  model: Model,
  { readableColumnNames, outputMap }: OutputSource,
  tags?: EntityTags,
): RecordOutput {
  const { owner, names } = compilation;
  const selection = selectionOf(owner, model, readableColumnNames);
  refuseCollisions(owner, names, selection);
  const store = compilation.store(model);
  const reason = outputMap === undefined ? store.reasonAgainstReads(selection) : 'outputMap gets entities';
  if (reason !== undefined) compilation.needsMikroOrm(reason);
  if (outputMap === undefined)
    return new Output(
      store.texts(tags?.framed ?? selection, names),
      tags === undefined ? textReplies : taggedTexts(tags),
      tags,
    );
  const replies = tags === undefined ? mappedReplies(outputMap) : taggedMaps(outputMap, tags);
  return new Output(store.loaded(tags?.flat ?? selection, names), replies);
}

/** What narrows the records of one request. */
export function narrowedBy(
  filter: RecordFilter,
  request: EndpointRequest,
): ReturnType<RecordFilter['narrowed']> {
  return filter.narrowed(request.session, (more) => request.context(more));
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
