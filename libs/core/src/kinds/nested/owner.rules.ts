import type { KindContext, RulingEndpoint } from '../../endpoint/kind.context.js';
import type { Model } from '../../model/model.js';
import type { BulkWriting, RecordKey, StoredRecord } from '../../records/record.store.js';
import { BulkLocator } from '../bulk/bulk.locator.js';
import type { NestedTrial } from './nested.trial.js';

/** The rules of the records that others are related to: who may take related records away from them. Made once per level. */
export class OwnerRules {
  readonly #locator: BulkLocator;

  constructor(
    context: KindContext,
    model: Model,
    private readonly writing: BulkWriting,
    options: Parameters<KindContext['filter']>[1],
    private readonly ruler: RulingEndpoint | undefined,
  ) {
    const filter = context.filter(model, options);
    this.#locator = new BulkLocator(context, model, writing, model.idPath, filter);
  }

  /** Finds and locks the records of some keys; undefined for those that are not there to see. */
  locate(trial: NestedTrial, keys: readonly RecordKey[]): Promise<readonly (StoredRecord | undefined)[]> {
    return this.#locator.locate(trial.requestOf(this.ruler), keys);
  }

  /** Gives records the version of a change that is none of their rows. */
  async touch(trial: NestedTrial, records: readonly StoredRecord[]): Promise<void> {
    if (records.length > 0) await this.writing.touchAll(trial.requestOf(this.ruler).session, records);
  }

  /** Gives a question about a record: true once it has changed since. */
  watch(trial: NestedTrial, record: StoredRecord): () => boolean {
    return this.writing.watch(trial.requestOf(this.ruler).session, record);
  }
}
