import { successOf } from '../document/schema.reader.js';
import type { Resource } from '../document/resource.js';
import { EndpointsError } from '../wire/endpoints.error.js';
import type { AnswerPage } from '../wire/answer.js';
import { lettersOf, nameLike } from '../wire/names.js';
import { planList, type ListPlan } from './list.plan.js';
import { parametersOf } from './record.path.js';
import type { RecordRequests } from './record.requests.js';
import type {
  ReadOptions,
  RecordData,
  RecordId,
  RecordPage,
  RecordQuery,
  VersionedRecord,
} from './record.query.js';
import { shownRecord } from './record.shape.js';
import { idText, type VersionMemory } from './version.memory.js';

/** The most records that are asked for by their ids in one request. */
const mostIds = 100;

/** The most requests for single records at a time. */
const atATime = 6;

/** The records of a page where the service sets no limit. */
const usualPage = 1000;

/** Reads records of one resource. */
export class RecordReads {
  constructor(
    private readonly requests: RecordRequests,
    private readonly versions: VersionMemory,
  ) {}

  /** Gives records in the order asked for. More than the service gives at once are read page by page. */
  async list(query: RecordQuery): Promise<RecordPage> {
    const { resource } = this.requests.found;
    const asked = withPathValues(resource, query);
    const plan = planList(resource, asked);
    const { limit, start = 0 } = asked;
    const records: RecordData[] = [];
    let page: AnswerPage | undefined;
    let position: Readonly<Record<string, unknown>> = start > 0 ? { [plan.list.word('start')]: start } : {};
    for (;;) {
      const size = limit === undefined ? undefined : pageSize(plan, limit - records.length);
      const answer = await this.#page(plan, asked, size, position);
      const found: readonly unknown[] = Array.isArray(answer.data) ? answer.data : [];
      for (const record of found) records.push(shownRecord(resource, record));
      page = answer.page;
      if (page?.next === undefined || found.length === 0 || records.length >= (limit ?? 0)) break;
      position = page.next;
    }
    return { records, total: page?.total, hasNext: page?.next !== undefined };
  }

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

  #page(
    { list, parameters }: ListPlan,
    query: RecordQuery,
    size: number | undefined,
    position: Readonly<Record<string, unknown>>,
  ): ReturnType<RecordRequests['ask']> {
    const limit = size === undefined ? {} : { [list.word('limit')]: size };
    const all = { ...parameters, ...limit, ...position };
    if (list.hasBody)
      return this.requests.ask(
        list.call,
        { ...query, fields: undefined, include: undefined },
        { body: all, isRead: true },
      );
    const entries = Object.entries(all).map(([name, value]): [string, string] => [name, String(value)]);
    return this.requests.ask(list.call, query, { query: new URLSearchParams(entries), isRead: true });
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
      return this.list({ ...options, conditions, limit: value.length });
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

function pageSize({ list: { mostRecords } }: ListPlan, wanted: number): number {
  const size = Math.min(wanted, mostRecords);
  return Number.isFinite(size) ? size : usualPage;
}

/** A condition on a parameter of the path is its value: a list of the stops of a trip may be at the trip's own url. */
function withPathValues({ path, columns }: Resource, query: RecordQuery): RecordQuery {
  const parameters = parametersOf(path);
  const values: Record<string, RecordId> = {};
  const conditions = (query.conditions ?? []).filter((one) => {
    if (
      !('column' in one) ||
      one.operator !== '=' ||
      columns.get(one.column)?.operators.includes('=') === true
    )
      return true;
    const name = parameters.find((parameter) => lettersOf(parameter) === lettersOf(one.column));
    if (name === undefined) return true;
    values[name] = one.value as RecordId;
    return false;
  });
  return { ...query, conditions, path: { ...values, ...query.path } };
}
