import type { ColumnPath, Model } from '../model/model.js';
import type { OffsetPaging } from '../query/paging.js';
import type { ListPlan, Selection } from '../query/query.plan.js';
import type { RequestEntityManager } from '../records/database.js';
import { selectionOf } from '../query/selection.js';
import { EntityReader, type LoadedRecord } from '../records/entity.reader.js';
import { RecordReader } from '../records/record.reader.js';
import type { NameTable } from '../wire/name.table.js';
import { NotFound } from '../wire/refusals.js';
import type { Compilation } from '../endpoint/compilation.js';
import type { OutputContext } from '../endpoint/endpoint.options.js';
import type { EndpointRequest } from '../endpoint/endpoint.request.js';
import { PlainReply, TextReply, type Reply } from '../endpoint/reply.js';

type OutputMap = (context: never) => unknown;

/** How an endpoint answers with records. */
export interface RecordOutput {
  /** @throws NotFound when no visible record has this value */
  one(em: RequestEntityManager, request: EndpointRequest, lookup: ColumnPath, value: unknown): Promise<Reply>;
  /** A record this request has just written. */
  written(
    em: RequestEntityManager,
    request: EndpointRequest,
    id: unknown,
    statusCode: number,
  ): Promise<Reply>;
  page(
    em: RequestEntityManager,
    request: EndpointRequest,
    plan: ListPlan,
    paging: OffsetPaging,
  ): Promise<Reply>;
}

/** The usual way: rows become JSON text, nothing in between. */
class TextOutput implements RecordOutput {
  constructor(private readonly reader: RecordReader) {}

  async one(
    em: RequestEntityManager,
    _request: EndpointRequest,
    lookup: ColumnPath,
    value: unknown,
  ): Promise<Reply> {
    return new TextReply(found(await this.reader.find(em, lookup, value)));
  }

  async written(
    em: RequestEntityManager,
    _request: EndpointRequest,
    id: unknown,
    statusCode: number,
  ): Promise<Reply> {
    return new TextReply(found(await this.reader.readBack(em, id)), undefined, statusCode);
  }

  async page(
    em: RequestEntityManager,
    _request: EndpointRequest,
    plan: ListPlan,
    paging: OffsetPaging,
  ): Promise<Reply> {
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

  async one(
    em: RequestEntityManager,
    request: EndpointRequest,
    lookup: ColumnPath,
    value: unknown,
  ): Promise<Reply> {
    return new PlainReply(await this.#mapped(em, request, found(await this.reader.find(em, lookup, value))));
  }

  async written(
    em: RequestEntityManager,
    request: EndpointRequest,
    id: unknown,
    statusCode: number,
  ): Promise<Reply> {
    const record = found(await this.reader.readBack(em, id));
    return new PlainReply(await this.#mapped(em, request, record), undefined, statusCode);
  }

  async page(
    em: RequestEntityManager,
    request: EndpointRequest,
    plan: ListPlan,
    paging: OffsetPaging,
  ): Promise<Reply> {
    const { records, total } = await this.reader.list(em, plan);
    const data: unknown[] = [];
    for (const record of records) data.push(await this.#mapped(em, request, record));
    return new PlainReply(data, paging.pagination(total, plan.limit, plan.start));
  }

  #mapped(em: RequestEntityManager, request: EndpointRequest, loaded: LoadedRecord): unknown {
    const context: OutputContext = { ...request.context(() => em), ...loaded };
    return this.map(context as never);
  }
}

/** The options that say how an endpoint answers with records. */
interface OutputSource {
  readonly readableColumnNames: readonly string[];
  readonly outputMap?: OutputMap | undefined;
}

/** @throws ConfigurationError for columns that are unknown, hidden, or relations without named columns */
export function recordOutput(
  { owner, database, names }: Compilation,
  model: Model,
  { readableColumnNames, outputMap }: OutputSource,
): RecordOutput {
  const selection = selectionOf(owner, model, readableColumnNames);
  refuseCollisions(owner, names, selection);
  if (outputMap === undefined) return new TextOutput(new RecordReader(database, model, selection, names));
  return new MappedOutput(new EntityReader(database, model, selection, names), outputMap);
}

function found<T>(record: T | undefined): T {
  if (record === undefined) throw new NotFound();
  return record;
}

/** Two members of one object must not have one key on the wire. */
function refuseCollisions(owner: string, names: NameTable, selection: Selection): void {
  names.index(owner, 'readableColumnNames', selection);
  for (const member of selection)
    if (member.kind === 'parent') refuseCollisions(owner, names, member.members);
}
