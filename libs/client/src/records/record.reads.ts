import { successesOf } from '../document/schema.reader.js';
import { EndpointsError } from '../wire/endpoints.error.js';
import { nameLike } from '../wire/names.js';
import type { ListReads, Memories } from './list.reads.js';
import type { RecordRequests } from './record.requests.js';
import type { ReadOptions, RecordData, RecordId, VersionedRecord } from './record.query.js';
import { shownRecord } from './record.shape.js';
import { idText } from './version.memory.js';

/** The most records that are asked for by their ids in one request. */
const mostIds = 100;

/** The most requests for single records at a time. */
const atATime = 6;

/** The records of ids, in their order; undefined for those that are not there. */
type Found = readonly (RecordData | undefined)[];

/** Reads records of one resource. */
export class RecordReads {
  readonly #requests: RecordRequests;
  readonly #lists: ListReads;
  readonly #memories: Memories;

  constructor(requests: RecordRequests, lists: ListReads, memories: Memories) {
    this.#requests = requests;
    this.#lists = lists;
    this.#memories = memories;
  }

  /** @throws EndpointsError with the status 404 where there is none */
  async get(id: RecordId, options: ReadOptions = {}): Promise<VersionedRecord> {
    const call = this.#requests.required('get');
    const answer = await this.#requests.ask(call, options, { id, isRead: true });
    const { resource } = this.#requests;
    const record = shownRecord(resource, answer.data);
    const place = this.#requests.place(options, id);
    this.#memories.versions.keep(place, record, answer.entityTag);
    this.#memories.parents.keep(place, record, resource);
    return { record, version: answer.entityTag };
  }

  /** Gives the records of these ids, in their order, each once. Those that are not there are left out. */
  async many(ids: readonly RecordId[], options: ReadOptions = {}): Promise<readonly RecordData[]> {
    const wanted = [...new Set(ids.map(idText))];
    const size = this.#idsAtOnce();
    const found =
      size === undefined
        ? await eachOf(wanted, (id) => this.#unlessGone(id, options))
        : (await Promise.all(chunksOf(wanted, size).map((chunk) => this.#chunk(chunk, options)))).flat();
    // Two spellings of an id are one record. Where records show none, each question has its own.
    const shown = found.flatMap((one, index) =>
      one === undefined ? [] : [[one['id'] ?? [index], one] as const],
    );
    return [...new Map(shown).values()];
  }

  /** True if records have versions, so that changes of them can name the one that they are about. */
  get isVersioned(): boolean {
    const call = this.#requests.call('get');
    return (
      call !== undefined &&
      successesOf(call.operation).some(
        ({ headers = {} }) => nameLike(Object.keys(headers), 'ETag') !== undefined,
      )
    );
  }

  /** The most ids of one request; undefined where records cannot be searched by several. */
  #idsAtOnce(): number | undefined {
    const { lists, key } = this.#requests.resource;
    if (key === undefined) return undefined;
    const list = lists.find(({ columns }) => columns.get(key)?.operators.has('in') === true);
    return list === undefined
      ? undefined
      : Math.min(mostIds, list.mostRecords, list.columns.get(key)?.mostValues ?? mostIds);
  }

  /** A service may write an id in another way than it was asked for: then nothing but the question tells whose record it is. */
  async #chunk(ids: readonly string[], options: ReadOptions): Promise<Found> {
    const records = await this.#withIds(ids, options);
    const byId = new Map(records.map((one) => [String(one['id']), one]));
    return ids.filter((id) => byId.has(id)).length === records.length
      ? ids.map((id) => byId.get(id))
      : eachOf(ids, async (id) => byId.get(id) ?? (await this.#withIds([id], options))[0]);
  }

  async #withIds(ids: readonly string[], options: ReadOptions): Promise<readonly RecordData[]> {
    const conditions = [{ column: 'id', operator: 'in', value: ids }];
    return (await this.#lists.list({ ...options, conditions, limit: ids.length })).records;
  }

  async #unlessGone(id: RecordId, options: ReadOptions): Promise<RecordData | undefined> {
    try {
      return (await this.get(id, options)).record;
    } catch (error) {
      if (error instanceof EndpointsError && error.status === 404) return undefined;
      throw error;
    }
  }
}

/** Cuts a list into parts of at most so many. */
export function chunksOf<T>(list: readonly T[], size: number): readonly (readonly T[])[] {
  const count = Math.ceil(list.length / size);
  return Array.from({ length: count }, (_, index) => list.slice(index * size, (index + 1) * size));
}

/** Asks for the record of each id alone, a few at a time. */
async function eachOf(
  ids: readonly string[],
  ask: (id: string) => Promise<RecordData | undefined>,
): Promise<Found> {
  const found: (RecordData | undefined)[] = [];
  for (const chunk of chunksOf(ids, atATime)) found.push(...(await Promise.all(chunk.map(ask))));
  return found;
}
