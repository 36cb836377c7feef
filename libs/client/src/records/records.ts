import type { Resource } from '../document/resource.js';
import type { FoundResource } from '../document/resources.js';
import { BulkWrites } from './bulk.writes.js';
import type {
  ReadOptions,
  RecordData,
  RecordId,
  RecordPage,
  RecordQuery,
  VersionedRecord,
  WriteOptions,
} from './record.query.js';
import { ListReads, type Memories } from './list.reads.js';
import { RecordReads } from './record.reads.js';
import { RecordRequests, type Send } from './record.requests.js';
import { RecordWrites } from './record.writes.js';

/** The records of one resource: what can be done with them, in whatever casing and form the service answers. */
export class Records {
  /** The resource, as the document describes it. */
  readonly resource: Resource;
  readonly #lists: ListReads;
  readonly #reads: RecordReads;
  readonly #writes: RecordWrites;
  readonly #bulk: BulkWrites;

  /** @internal */
  constructor(found: FoundResource, send: Send, memories: Memories) {
    this.resource = found.resource;
    const requests = new RecordRequests(found, send);
    this.#lists = new ListReads(requests, memories);
    this.#reads = new RecordReads(requests, this.#lists, memories);
    this.#writes = new RecordWrites(requests, this.#reads, memories);
    this.#bulk = new BulkWrites(requests, this.#writes, memories);
  }

  /** Gives records in the order asked for. More than the service gives at once are read page by page. */
  list(query: RecordQuery = {}): Promise<RecordPage> {
    return this.#lists.list(query);
  }

  /** @throws EndpointsError with the status 404 where there is none */
  get(id: RecordId, options: ReadOptions = {}): Promise<VersionedRecord> {
    return this.#reads.get(id, options);
  }

  /** Gives the records of these ids, in their order, each once. Those that are not there are left out. */
  getMany(ids: readonly RecordId[], options: ReadOptions = {}): Promise<readonly RecordData[]> {
    return this.#reads.many(ids, options);
  }

  /** Creates a record. */
  create(data: RecordData, options: ReadOptions = {}): Promise<VersionedRecord> {
    return this.#writes.create(data, options);
  }

  /** Creates many records: all of them or none, where the service offers that. */
  createMany(list: readonly RecordData[], options: ReadOptions = {}): Promise<readonly RecordData[]> {
    return this.#bulk.create(list, options);
  }

  /** Changes a record, in the version that was seen. @throws EndpointsError with the status 412 where it has another one */
  update(id: RecordId, data: RecordData, options: WriteOptions = {}): Promise<VersionedRecord> {
    return this.#writes.update(id, data, options);
  }

  /**
   * Gives the version of a record as it was seen, for writes that name it elsewhere: of records that are written along with others.
   * Undefined where records have none.
   * @throws EndpointsError with the status 412 where it is not as it was seen
   */
  version(id: RecordId, options: WriteOptions = {}): Promise<string | undefined> {
    return this.#writes.version(id, options);
  }

  /** Makes the same changes to many records: to all of them or none, where the service offers that. */
  updateMany(
    ids: readonly RecordId[],
    changes: RecordData,
    options: ReadOptions = {},
  ): Promise<readonly RecordData[]> {
    return this.#bulk.update(ids, changes, options);
  }

  /** Deletes a record. */
  delete(id: RecordId, options: WriteOptions = {}): Promise<void> {
    return this.#writes.delete(id, options);
  }

  /** Deletes many records: all of them or none, where the service offers that. */
  deleteMany(ids: readonly RecordId[], options: ReadOptions = {}): Promise<void> {
    return this.#bulk.delete(ids, options);
  }
}
