import type { KindContext } from '../../../endpoint/kind.context.js';
import type { EndpointRequest } from '../../../endpoint/request/endpoint.request.js';
import type { Model } from '../../../model/model.js';
import type { ColumnValues, RecordKey, StoredRecord } from '../../../records/record.store.js';
import { LifeCycle, type HookSource, type WatchedSteps } from '../life.cycle.js';

/**
 * The user's own functions and listeners around an Upsert: those of a Create where there is no record, those of an Update
 * where there is one. Made once per endpoint.
 */
export class UpsertLifeCycle implements WatchedSteps {
  readonly #create: LifeCycle;
  readonly #update: LifeCycle;

  /** @throws ConfigurationError as {@link LifeCycle} */
  constructor(context: KindContext, model: Model, hooks: HookSource) {
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

  delete(): Promise<void> {
    return Promise.reject(new TypeError('An Upsert deletes nothing'));
  }

  restore(): Promise<void> {
    return Promise.reject(new TypeError('An Upsert restores nothing'));
  }
}
