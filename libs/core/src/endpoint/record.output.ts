import type { ColumnPath, Model } from '../model/model.js';
import type { OffsetPaging } from '../query/paging.js';
import type { ListPlan, Selection } from '../query/query.plan.js';
import type { Database, RequestEntityManager } from '../records/database.js';
import { EntityReader, type LoadedRecord } from '../records/entity.reader.js';
import { RecordReader } from '../records/record.reader.js';
import type { NameTable } from '../wire/name.table.js';
import { NotFound } from '../wire/refusals.js';
import type { OutputContext } from './endpoint.options.js';
import type { EndpointRequest } from './endpoint.request.js';
import { PlainReply, TextReply, type Reply } from './reply.js';

export type OutputMap = (context: OutputContext) => unknown;

/** How an endpoint answers with records. */
export interface RecordOutput {
  /** @throws NotFound when no visible record has this value */
  one(em: RequestEntityManager, request: EndpointRequest, lookup: ColumnPath, value: unknown): Promise<Reply>;
  /** A record this request has just written. */
  written(em: RequestEntityManager, request: EndpointRequest, id: unknown, statusCode: number): Promise<Reply>;
  page(em: RequestEntityManager, request: EndpointRequest, plan: ListPlan, paging: OffsetPaging): Promise<Reply>;
}

/** The usual way: rows become JSON text, nothing in between. */
class TextOutput implements RecordOutput {
  constructor(private readonly reader: RecordReader) {}

  async one(em: RequestEntityManager, _request: EndpointRequest, lookup: ColumnPath, value: unknown): Promise<Reply> {
    return new TextReply(found(await this.reader.find(em, lookup, value)));
  }

  async written(em: RequestEntityManager, _request: EndpointRequest, id: unknown, statusCode: number): Promise<Reply> {
    return new TextReply(found(await this.reader.readBack(em, id)), undefined, statusCode);
  }

  async page(em: RequestEntityManager, _request: EndpointRequest, plan: ListPlan, paging: OffsetPaging): Promise<Reply> {
    const { data, total } = await this.reader.list(em, plan);
    return new TextReply(data, paging.pagination(total, plan.limit, plan.start));
  }
}

/** With `outputMap`: every record is loaded as an entity too, and replaced by what the function gives. */
class MappedOutput implements RecordOutput {
  constructor(
    private readonly reader: EntityReader,
    private readonly map: OutputMap,
  ) {}

  async one(em: RequestEntityManager, request: EndpointRequest, lookup: ColumnPath, value: unknown): Promise<Reply> {
    return new PlainReply(await this.#mapped(em, request, found(await this.reader.find(em, lookup, value))));
  }

  async written(em: RequestEntityManager, request: EndpointRequest, id: unknown, statusCode: number): Promise<Reply> {
    const record = found(await this.reader.readBack(em, id));
    return new PlainReply(await this.#mapped(em, request, record), undefined, statusCode);
  }

  async page(em: RequestEntityManager, request: EndpointRequest, plan: ListPlan, paging: OffsetPaging): Promise<Reply> {
    const { records, total } = await this.reader.list(em, plan);
    const data: unknown[] = [];
    for (const record of records) data.push(await this.#mapped(em, request, record));
    return new PlainReply(data, paging.pagination(total, plan.limit, plan.start));
  }

  async #mapped(em: RequestEntityManager, request: EndpointRequest, loaded: LoadedRecord): Promise<unknown> {
    return this.map({ ...request.context(() => em), ...loaded });
  }
}

export function recordOutput(
  database: Database,
  model: Model,
  selection: Selection,
  names: NameTable,
  outputMap: OutputMap | undefined,
): RecordOutput {
  if (outputMap === undefined) return new TextOutput(new RecordReader(database, model, selection, names));
  return new MappedOutput(new EntityReader(database, model, selection, names), outputMap);
}

function found<T>(record: T | undefined): T {
  if (record === undefined) throw new NotFound();
  return record;
}
