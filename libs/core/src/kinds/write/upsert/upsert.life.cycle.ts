import type { Announcements } from '../../../endpoint/announcements.js';
import type { KindContext } from '../../../endpoint/kind.context.js';
import type { EndpointRequest } from '../../../endpoint/request/endpoint.request.js';
import type { Model } from '../../../model/model.js';
import type { ColumnValues, RecordKey, StoredRecord } from '../../../records/record.store.js';
import type { BulkRecord, BulkWriteSteps, SavedRecords } from '../../../records/writes/bulk/bulk.parts.js';
import type { RecordInput } from '../../../request/record.input.js';
import { LifeCycle, type WatchedSteps } from '../life.cycle.js';
import type { HookSource } from '../write.hooks.js';

type Saved = BulkRecord<RecordInput>;

/**
 * The user's own functions and listeners around an Upsert: those of a Create where there is no record, those of an Update
 * where there is one. Made once per endpoint.
 */
export class UpsertLifeCycle implements WatchedSteps, BulkWriteSteps<EndpointRequest, RecordInput> {
  readonly events: Announcements;
  readonly #create: LifeCycle;
  readonly #update: LifeCycle;

  /** @throws ConfigurationError as {@link LifeCycle} */
  constructor(context: KindContext, model: Model, hooks: HookSource) {
    this.events = context.announcements;
    this.#create = new LifeCycle(context, model, 'create', hooks);
    this.#update = new LifeCycle(context, model, 'update', hooks);
  }

  get reason(): string | undefined {
    return this.#create.reason;
  }

  get isHeard(): boolean {
    return this.#create.isHeard || this.#update.isHeard;
  }

  create(request: EndpointRequest, values: ColumnValues): Promise<RecordKey> {
    return this.#create.create(request, values);
  }

  update(request: EndpointRequest, record: StoredRecord, values: ColumnValues): Promise<void> {
    return this.#update.update(request, record, values);
  }

  async createAll(request: EndpointRequest, records: readonly Saved[]): Promise<readonly RecordKey[]> {
    return (await this.saveAll(request, records)).keys;
  }

  async updateAll(request: EndpointRequest, records: readonly Saved[]): Promise<readonly RecordKey[]> {
    return (await this.saveAll(request, records)).keys;
  }

  /** Creates records, and updates those that have a subject. */
  saveAll(request: EndpointRequest, records: readonly Saved[]): Promise<SavedRecords> {
    return this.#create.saveAll(request, records, ({ subject }) =>
      subject === undefined ? this.#create : this.#update,
    );
  }

  deleteAll(): Promise<void> {
    return this.delete();
  }

  delete(): Promise<void> {
    return Promise.reject(new TypeError('An Upsert deletes nothing'));
  }

  restore(): Promise<void> {
    return Promise.reject(new TypeError('An Upsert restores nothing'));
  }
}
