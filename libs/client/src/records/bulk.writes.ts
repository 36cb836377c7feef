import type { ApiSchema } from '../document/api.document.js';
import type { ResourceCall } from '../document/resource.js';
import { sentenceOf } from '../wire/answer.reader.js';
import { EndpointsError } from '../wire/endpoints.error.js';
import { isObject, nameLike } from '../wire/names.js';
import { typedValue } from './column.values.js';
import { keyHeader } from './idempotency.key.js';
import type { ReadOptions, RecordData, RecordId } from './record.query.js';
import type { Memories } from './list.reads.js';
import type { ParentMemory } from './parent.memory.js';
import { chunksOf } from './record.reads.js';
import type { RecordRequests } from './record.requests.js';
import { shownRecord, writtenRecord } from './record.shape.js';
import { isRepeatable, type RecordWrites } from './record.writes.js';
import { idText, type VersionMemory } from './version.memory.js';

/** The most records of a request where the document does not tell. */
const usualMost = 100;

/** Any version: whoever writes many has not looked at each of them, and a request for many does not ask, either. */
const whatever = '*';

/** The words for what was done with records. */
const words = { createMany: 'created', updateMany: 'changed', deleteMany: 'deleted' } as const;

type Done = (typeof words)[keyof typeof words];

/** A form of the body of a bulk write: the list of what it is about, and what stands beside. */
interface BulkForm {
  /** The word for what it does: `created`. */
  readonly done: Done;
  readonly call: ResourceCall;
  readonly listName: string;
  readonly entry: ApiSchema;
  readonly most: number;
  readonly properties: Readonly<Record<string, ApiSchema>>;
}

/** Writes many records of one resource: with one request where the service offers that, else one by one. */
export class BulkWrites {
  readonly #requests: RecordRequests;
  readonly #writes: RecordWrites;
  readonly #versions: VersionMemory;
  readonly #parents: ParentMemory;

  constructor(
    requests: RecordRequests,
    writes: RecordWrites,
    { versions, parents }: Pick<Memories, 'versions' | 'parents'>,
  ) {
    this.#requests = requests;
    this.#writes = writes;
    this.#versions = versions;
    this.#parents = parents;
  }

  /** Creates all of them, or none, up to as many as the service takes at once. */
  async create(list: readonly RecordData[], options: ReadOptions = {}): Promise<readonly RecordData[]> {
    const form = this.#form('createMany', 'records');
    if (form === undefined)
      return oneByOne(list, 'created', async (data) => (await this.#writes.create(data, options)).record);
    const { resource } = this.#requests;
    const properties = resource.reader.properties(form.entry);
    const chunks = chunksOf(list, form.most).map((chunk) =>
      chunk.map((data) => writtenRecord(resource, data, properties)),
    );
    return this.#all(form, chunks, options, {});
  }

  /** Makes the same changes to all of them, or to none, up to as many as the service takes at once. */
  async update(
    ids: readonly RecordId[],
    changes: RecordData,
    options: ReadOptions = {},
  ): Promise<readonly RecordData[]> {
    const form = this.#form('updateMany', 'ids');
    if (form === undefined)
      return oneByOne(
        ids,
        'changed',
        async (id) => (await this.#writes.update(id, changes, { ...options, version: whatever })).record,
      );
    const { resource } = this.#requests;
    const name = nameLike(Object.keys(form.properties), 'changes') ?? 'changes';
    const written = writtenRecord(resource, changes, resource.reader.properties(form.properties[name]));
    return this.#all(form, idChunks(form, ids), options, { [name]: written }, isRepeatable(written));
  }

  /** Deletes all of them, or none, up to as many as the service takes at once. */
  async delete(ids: readonly RecordId[], options: ReadOptions = {}): Promise<void> {
    const form = this.#form('deleteMany', 'ids');
    if (form === undefined)
      await oneByOne(ids, 'deleted', (id) => this.#writes.delete(id, { ...options, version: whatever }));
    else await this.#all(form, idChunks(form, ids), options, {});
  }

  /** Undefined where the service has none, or wants a version with each record. */
  #form(action: keyof typeof words, word: string): BulkForm | undefined {
    const call = this.#requests.call(action);
    if (call === undefined) return undefined;
    const { reader } = this.#requests.resource;
    for (const { properties = {} } of reader.choices(reader.body(call.operation))) {
      const listName = nameLike(Object.keys(properties), word);
      if (listName === undefined) continue;
      const { items, maxItems: most = usualMost } = reader.resolved(properties[listName]);
      return { done: words[action], call, listName, most, properties, entry: reader.resolved(items) };
    }
    return undefined;
  }

  async #all(
    { done, call, listName }: BulkForm,
    chunks: readonly (readonly unknown[])[],
    options: ReadOptions,
    beside: RecordData,
    isRepeatable = false,
  ): Promise<readonly RecordData[]> {
    const { resource } = this.#requests;
    const found: RecordData[] = [];
    const count = chunks.flat().length;
    let before = 0;
    for (const chunk of chunks) {
      const body = { [listName]: chunk, ...beside };
      try {
        // Each part is a request of its own.
        const headers = keyHeader(call);
        const { data } = await this.#requests.ask(call, options, { body, headers, isRepeatable });
        const answered = Array.isArray(data) ? data : [];
        // An endpoint may answer with ids alone.
        for (const one of answered)
          found.push(isObject(one) ? shownRecord(resource, one) : { id: one as RecordId });
        before += chunk.length;
      } catch (error) {
        throw partRefusal(error, listName, { before, count, done });
      } finally {
        // Whether it was done or not: nobody knows the version and the parents of any of them now.
        for (const place of chunk.map((id) => this.#requests.place(options, id))) {
          this.#versions.forget(place);
          this.#parents.forget(place);
        }
      }
    }
    return found;
  }
}

function idChunks({ entry, most }: BulkForm, ids: readonly RecordId[]): readonly (readonly unknown[])[] {
  return chunksOf(ids, most).map((chunk) => chunk.map((id) => typedValue(entry, idText(id))));
}

/** The part of a list that was written before one was refused. */
interface Progress {
  readonly before: number;
  readonly count: number;
  readonly done: Done;
}

/** A refusal of a part of a list: its places are those in the whole list, and it says how many were done before. */
function partRefusal(error: unknown, listName: string, progress: Progress): unknown {
  if (progress.before === 0) return error;
  if (!(error instanceof EndpointsError)) return told(error, progress);
  const placed = [...error.inputErrors].map(([place, message]): [string, string] => {
    const [list = '', index = '', ...rest] = place.split('.');
    const isWithin = list === listName && /^\d+$/.test(index);
    return [isWithin ? [list, Number(index) + progress.before, ...rest].join('.') : place, message];
  });
  const inputErrors = new Map(placed);
  const message = sentenceOf(inputErrors) ?? error.message;
  return told(Object.assign(error, { inputErrors, message }), progress);
}

/** Says how many were done before: in a refusal, and where `fetch` got no answer. Who gave the request up has a reason of his own. */
function told(error: unknown, { before, count, done }: Progress): unknown {
  if (!(error instanceof EndpointsError) && !(error instanceof TypeError)) return error;
  error.message += ` (${String(before)} of ${String(count)} were ${done} before)`;
  return error;
}

/** In their order; the first that is refused ends it, and says how many were done. */
async function oneByOne<T, R>(list: readonly T[], done: Done, write: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const one of list)
    try {
      results.push(await write(one));
    } catch (error) {
      const { length: before } = results;
      throw before === 0 ? error : told(error, { before, count: list.length, done });
    }
  return results;
}
