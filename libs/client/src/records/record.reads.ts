import { successOf } from '../document/schema.reader.js';
import { EndpointsError } from '../wire/endpoints.error.js';
import { nameLike } from '../wire/names.js';
import type { ListReads } from './list.reads.js';
import type { RecordRequests } from './record.requests.js';
import type { ReadOptions, RecordData, RecordId, VersionedRecord } from './record.query.js';
import { shownRecord } from './record.shape.js';
import { idText, type VersionMemory } from './version.memory.js';

/** The most records that are asked for by their ids in one request. */
const mostIds = 100;

/** The most requests for single records at a time. */
const atATime = 6;

/** Reads records of one resource. */
export class RecordReads {
  constructor(
    private readonly requests: RecordRequests,
    private readonly lists: ListReads,
    private readonly versions: VersionMemory,
  ) {}

  /** @throws EndpointsError with the status 404 where there is none */
  async get(id: RecordId, options: ReadOptions = {}): Promise<VersionedRecord> {
    const call = this.requests.required('get');
    const answer = await this.requests.ask(call, options, { id, isRead: true });
    const record = shownRecord(this.requests.found.resource, answer.data);
    this.versions.keep(this.requests.path(call, options, id), record, answer.entityTag);
    return { record, version: answer.entityTag };
  }

  /** Gives the records of these ids, in their order, each once. Those that are not there are left out. */
  async many(ids: readonly RecordId[], options: ReadOptions = {}): Promise<readonly RecordData[]> {
    const wanted = [...new Map(ids.map((id) => [idText(id), id])).values()];
    if (wanted.length === 0) return [];
    const size = this.#idsAtOnce();
    const found =
      size === undefined ? await this.#eachOf(wanted, options) : await this.#chunks(wanted, size, options);
    const byId = new Map(found.map((record) => [String(record['id']), record] as const));
    return wanted.map((id) => byId.get(idText(id))).filter((record) => record !== undefined);
  }

  /** True if records have versions, so that changes of them can name the one that they are about. */
  get isVersioned(): boolean {
    const call = this.requests.call('get');
    return (
      call !== undefined &&
      nameLike(Object.keys(successOf(call.operation)?.headers ?? {}), 'ETag') !== undefined
    );
  }

  /** The most ids of one request; undefined where records cannot be searched by several. */
  #idsAtOnce(): number | undefined {
    const { lists, key } = this.requests.found.resource;
    if (key === undefined) return undefined;
    const list = lists.find(({ columns }) => columns.get(key)?.operators.has('in') === true);
    return list === undefined
      ? undefined
      : Math.min(mostIds, list.mostRecords, list.columns.get(key)?.mostValues ?? mostIds);
  }

  async #chunks(
    ids: readonly RecordId[],
    size: number,
    options: ReadOptions,
  ): Promise<readonly RecordData[]> {
    const pages = chunksOf(ids, size).map((value) => {
      const conditions = [{ column: 'id', operator: 'in', value: value.map(idText) }];
      return this.lists.list({ ...options, conditions, limit: value.length });
    });
    return (await Promise.all(pages)).flatMap(({ records }) => records);
  }

  async #eachOf(ids: readonly RecordId[], options: ReadOptions): Promise<readonly RecordData[]> {
    const found: RecordData[] = [];
    for (const chunk of chunksOf(ids, atATime)) {
      const records = await Promise.all(chunk.map((id) => this.#unlessGone(id, options)));
      found.push(...records.flat());
    }
    return found;
  }

  async #unlessGone(id: RecordId, options: ReadOptions): Promise<readonly RecordData[]> {
    try {
      return [(await this.get(id, options)).record];
    } catch (error) {
      if (error instanceof EndpointsError && error.status === 404) return [];
      throw error;
    }
  }
}

/** Cuts a list into parts of at most so many. */
export function chunksOf<T>(list: readonly T[], size: number): readonly (readonly T[])[] {
  const count = Math.ceil(list.length / size);
  return Array.from({ length: count }, (_, index) => list.slice(index * size, (index + 1) * size));
}
