import type { KindContext } from '../../endpoint/kind.context.js';
import type { EndpointRequest } from '../../endpoint/request/endpoint.request.js';
import type { ColumnPath, Model } from '../../model/model.js';
import { conditionOf } from '../../query/condition.js';
import type { Condition } from '../../query/query.plan.js';
import type { RecordFilter } from '../../visibility/record.filter.js';
import type { RecordReading, RecordStore, StoredRecord } from '../../records/record.store.js';
import type { WriteLocator } from '../../records/writes/unit.parts.js';
import { NotFound } from '../../wire/refusals.js';
import { narrowedBy } from './record.output.js';
import { refusedLookup } from './refused.values.js';

/** Finds and locks the record that an Update or Delete is about. Made once per endpoint. */
export class RecordLocator implements WriteLocator<EndpointRequest> {
  readonly #store: RecordStore;
  readonly #keys: RecordReading;

  constructor(
    context: KindContext,
    private readonly model: Model,
    /** The column by which records are found. */
    private readonly path: ColumnPath,
    private readonly filter: RecordFilter,
  ) {
    this.#store = context.store(model);
    const { idPath } = model;
    this.#keys = this.#store.reading([{ kind: 'column', name: idPath.text, path: idPath }]);
  }

  /** @throws NotFound when there is no such record, or none that this endpoint is for */
  async locate(request: EndpointRequest, value: unknown): Promise<StoredRecord> {
    try {
      return await this.#located(request, value);
    } catch (error) {
      throw refusedLookup(error);
    }
  }

  async #located(request: EndpointRequest, value: unknown): Promise<StoredRecord> {
    const { writing } = this.#store;
    const { session } = request;
    const { meta } = this.model;
    const restriction = (await session.restrictionsOf(new Set([meta]))).get(meta);
    // Plain conditions are those of the statement that locks.
    const isNarrowed = restriction?.isPlain === false;
    // Nobody waits for a lock on a record that they may not see, nor keeps others waiting for it.
    if (isNarrowed) await this.#refuseHidden(request, [conditionOf(this.path, '=', value)]);
    const record = await writing.locate(session, this.path.column, value);
    if (record === undefined) throw new NotFound();
    if (this.filter.isOpen && !isNarrowed) return record;
    // Asked once the record is locked, so that nobody takes it out of the filter meanwhile.
    await this.#refuseHidden(request, [conditionOf(this.model.idPath, '=', writing.idOf(record))]);
    return record;
  }

  async #refuseHidden(request: EndpointRequest, conditions: readonly Condition[]): Promise<void> {
    const asked = [...this.filter.conditions, ...conditions];
    const row = await this.#keys.find(request.session, asked, await narrowedBy(this.filter, request));
    if (row === undefined) throw new NotFound();
  }
}
