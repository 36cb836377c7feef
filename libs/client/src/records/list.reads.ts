import type { Resource } from '../document/resource.js';
import type { Answer, AnswerPage } from '../wire/answer.js';
import { EndpointsError } from '../wire/endpoints.error.js';
import { lettersOf } from '../wire/names.js';
import { planList, type ListPlan } from './list.plan.js';
import type { PageMemory, PagePosition } from './page.memory.js';
import type { ParentMemory } from './parent.memory.js';
import { parametersOf } from './record.path.js';
import type { RecordData, RecordId, RecordPage, RecordQuery } from './record.query.js';
import type { RecordRequests } from './record.requests.js';
import { shownRecord } from './record.shape.js';
import type { VersionMemory } from './version.memory.js';

/** The records of a page where the service sets no limit. */
const usualPage = 1000;

/** The things that a client remembers of what it has read. */
export interface Memories {
  readonly pages: PageMemory;
  readonly versions: VersionMemory;
  readonly parents: ParentMemory;
}

/** Reads the lists of one resource. */
export class ListReads {
  readonly #requests: RecordRequests;
  readonly #pages: PageMemory;
  readonly #versions: VersionMemory;
  readonly #parents: ParentMemory;

  constructor(requests: RecordRequests, { pages, versions, parents }: Memories) {
    this.#requests = requests;
    this.#pages = pages;
    this.#versions = versions;
    this.#parents = parents;
  }

  /** Gives records in the order asked for. More than the service gives at once are read page by page. */
  async list(query: RecordQuery): Promise<RecordPage> {
    const { resource } = this.#requests;
    const asked = withPathValues(resource, query);
    const plan = planList(resource, asked);
    const { limit, start = 0 } = asked;
    const listed = this.#keyOf(plan, asked);
    const records: RecordData[] = [];
    let page: AnswerPage | undefined;
    for (;;) {
      const size = limit === undefined ? undefined : pageSize(plan, limit - records.length);
      const answer =
        page?.next === undefined
          ? await this.#pageFrom(plan, asked, size, listed)
          : await this.#page(plan, asked, size, page.next);
      const found: readonly unknown[] = Array.isArray(answer.data) ? answer.data : [];
      for (const record of found) {
        const shown = shownRecord(resource, record);
        records.push(shown);
        const place = this.#requests.place(asked, shown['id']);
        this.#versions.show(place, shown, resource);
        this.#parents.keepListed(place, shown, resource);
      }
      page = answer.page;
      if (page?.next !== undefined && Object.hasOwn(page.next, plan.list.word('after')))
        this.#pages.keep(listed, start + records.length, page.next);
      if (page?.next === undefined || found.length === 0 || records.length >= (limit ?? 0)) break;
    }
    return { records, total: page?.total, hasNext: page?.next !== undefined };
  }

  /** The text that tells a list with its order and conditions from all others. */
  #keyOf({ list, parameters }: ListPlan, query: RecordQuery): string {
    return `${list.call.method} ${this.#requests.path(list.call, query)} ${JSON.stringify(parameters)}`;
  }

  /** Reads a page behind the one that was read before it, where that has told a cursor; else behind so many records. */
  async #pageFrom(
    plan: ListPlan,
    query: RecordQuery,
    size: number | undefined,
    listed: string,
  ): Promise<Answer> {
    const { start = 0 } = query;
    const counted: PagePosition = start > 0 ? { [plan.list.word('start')]: start } : {};
    const known = this.#pages.of(listed, start);
    if (known === undefined) return this.#page(plan, query, size, counted);
    try {
      return await this.#page(plan, query, size, known);
    } catch (error) {
      // A cursor ends with the secret, or the process, that has made it.
      if (!(error instanceof EndpointsError) || error.status !== 400) throw error;
      this.#pages.forget(listed, start);
      return await this.#page(plan, query, size, counted);
    }
  }

  #page(
    { list, parameters }: ListPlan,
    query: RecordQuery,
    size: number | undefined,
    position: PagePosition,
  ): Promise<Answer> {
    const limit = size === undefined ? {} : { [list.word('limit')]: size };
    const all = { ...parameters, ...limit, ...position };
    const { hasBody, call } = list;
    const texts = Object.entries(hasBody ? {} : all).map(([name, value]): [string, string] => [
      name,
      String(value),
    ]);
    const parts = { query: new URLSearchParams(texts), body: hasBody ? all : undefined };
    return this.#requests.ask(call, query, { ...parts, isRead: true });
  }
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
