import type { Announcements } from '../../endpoint/announcements.js';
import type { KindContext } from '../../endpoint/kind.context.js';
import type { OutputContext } from '../../endpoint/options/endpoint.options.js';
import type { EndpointRequest } from '../../endpoint/request/endpoint.request.js';
import { PlainReply, RawReply, TextReply, type Reply } from '../../endpoint/reply.js';
import type { Model } from '../../model/model.js';
import { OffsetPaging } from '../../query/offset.paging.js';
import type { PagingOptions } from '../../query/paging.js';
import type { Selection } from '../../query/query.plan.js';
import { selectionOf } from '../../query/selection.js';
import { isQuery, type RecordQuery } from '../../visibility/adjusted.query.js';
import { HeldEntities, withoutEntities } from '../../records/held.entities.js';
import { plainRow, type PlainRecord } from '../../sql/plain.row.js';
import type { GivenRecords } from '../../records/record.store.js';
import type { Row } from '../../sql/row.layout.js';
import { rowWriter } from '../../sql/row.writer.js';
import { jsonContentType } from '../../wire/answer.js';
import type { Pagination } from '../../wire/pagination.js';
import { jsonOf } from '../../wire/json.text.js';
import { NameTable } from '../../wire/name.table.js';
import { isStream, responseReply, streamedReply, type Flowing } from './streamed.output.js';
import { QueryPage } from '../record/query.page.js';

/** The options that say how the result of a function of the user's becomes an answer. */
export interface CallableOutputSource extends PagingOptions {
  readonly readableColumnNames?: readonly string[] | undefined;
  readonly outputMap?: ((context: never) => unknown) | undefined;
  readonly returnStandardResponse?: boolean | undefined;
}

/** The JSON text of a record as it is answered. */
type Written = (request: EndpointRequest, row: Row, record: object) => string | Promise<string>;

const nothing: Row = [];

/** Makes replies of what functions of the user's give. Made once per endpoint. */
export class CallableOutput {
  /** The selection of each record that is answered; undefined without a model. */
  readonly shown: Selection | undefined;
  readonly #records: GivenRecords | undefined;
  readonly #written: Written | undefined;
  readonly #page: QueryPage;
  readonly #isRaw: boolean;
  readonly #stallLimit: number;
  readonly #announcements: Announcements;

  constructor(context: KindContext, model: Model | undefined, options: CallableOutputSource) {
    const { owner, names, root, settings } = context;
    const { readableColumnNames, outputMap, returnStandardResponse = true } = options;
    this.#announcements = context.providers.announcements;
    this.#isRaw = !returnStandardResponse;
    this.#stallLimit = settings.stallTimeout;
    this.#page = new QueryPage(new OffsetPaging(owner, { ...root, ...options }), names);
    if (model === undefined) return;
    const selection = selectionOf(owner, model, readableColumnNames ?? []);
    this.shown = selection;
    const records = context.store(model).given(selection);
    const { platform } = context.database.dialect;
    this.#records = records;
    if (outputMap !== undefined) {
      const own = new NameTable(names.internal, names.internal);
      this.#written = mapped(plainRow(selection, records.layout, own, platform), outputMap);
      return;
    }
    const write = rowWriter(selection, records.layout, names, platform);
    this.#written = (_request, row) => {
      if (readableColumnNames === undefined) throw new TypeError(unsaid(model.meta.className));
      return write(row);
    };
  }

  /** @throws TypeError for what JSON cannot say, and for a stream in the envelope */
  async reply(request: EndpointRequest, result: unknown): Promise<Reply> {
    const query = queryOf(result);
    if (query !== undefined) return this.#paged(request, query);
    if (this.#isRaw) return this.#raw(request, result);
    if (isStream(result) || result instanceof Response)
      throw new TypeError('A stream or Response is not data: set returnStandardResponse to false');
    const text = await this.#textOf(request, result);
    return text === undefined ? new PlainReply(result ?? null) : new TextReply(text);
  }

  async #paged(request: EndpointRequest, query: RecordQuery): Promise<Reply> {
    const { records, pagination } = await this.#page.of(request, query);
    const text = await this.#listText(request, records);
    if (this.#isRaw) return RawReply.given(text, jsonContentType);
    return new TextReply(text, pagination satisfies Pagination);
  }

  async #raw(request: EndpointRequest, result: unknown): Promise<RawReply> {
    if (result instanceof Response) return responseReply(result, this.#flowing(request));
    if (typeof result === 'string') return RawReply.given(result, 'text/plain; charset=UTF-8');
    // Not a copy: what the function gives is the answer's from then on.
    if (result instanceof Uint8Array)
      return RawReply.given(
        Buffer.from(result.buffer, result.byteOffset, result.byteLength),
        'application/octet-stream',
      );
    if (!isStream(result))
      return RawReply.given((await this.#textOf(request, result)) ?? jsonOf(result ?? null), jsonContentType);
    const line = async (item: unknown): Promise<string> =>
      (await this.#textOf(request, item)) ?? jsonOf(item ?? null);
    // A transaction would wait for the stream's end, and the stream for a client that waits for its beginning.
    await request.leaveTransaction();
    return streamedReply(result, line, this.#flowing(request));
  }

  #flowing(request: EndpointRequest): Flowing {
    const { cancellation } = request;
    const onError = (error: unknown): void => {
      this.#announcements.failed(request, 'closing a stream', error);
    };
    return { cancellation, stallLimit: this.#stallLimit, onError };
  }

  /** The text of a value with records in it, wherever they are; undefined for other values. */
  async #textOf(request: EndpointRequest, result: unknown, isFiltered = false): Promise<string | undefined> {
    const held = new HeldEntities(result);
    const entities = held.all;
    if (entities.length === 0) return undefined;
    const records = this.#records;
    const other = entities.find((entity) => records?.isRecord(entity) !== true);
    if (other !== undefined || records === undefined || this.#written === undefined)
      throw new TypeError(unsaid(other?.constructor.name));
    const rows = await records.rows(request.session, entities, isFiltered);
    const texts = new Map<object, string>();
    for (const [index, record] of entities.entries())
      texts.set(record, await this.#written(request, rows[index] ?? nothing, record));
    return held.text((entity) => texts.get(entity) ?? 'null', jsonOf);
  }

  /** The text of what a query has found. */
  async #listText(request: EndpointRequest, records: readonly object[]): Promise<string> {
    return (await this.#textOf(request, records, true)) ?? jsonOf(records);
  }
}

function mapped(plain: (row: Row) => PlainRecord, map: (context: never) => unknown): Written {
  return async (request, row, entity) => {
    const context: OutputContext = request.context({ record: plain(row), entity });
    return jsonOf(withoutEntities(await map(context as never)));
  };
}

/** Makes the message about an entity of which no option says what is shown. Nothing of it is. */
function unsaid(className = 'record'): string {
  return `toCall gives a ${className}, of which readableColumnNames must say what clients see, beside its modelClass; or give a plain object`;
}

/** A query of MikroORM, itself or as `{ query }`. */
function queryOf(result: unknown): RecordQuery | undefined {
  const query: unknown =
    typeof result === 'object' && result !== null && Object.hasOwn(result, 'query')
      ? Reflect.get(result, 'query')
      : result;
  return isQuery(query) ? query : undefined;
}
