import type { KindContext } from '../../endpoint/kind.context.js';
import type { EndpointRequest } from '../../endpoint/request/endpoint.request.js';
import type { ColumnPath, Model } from '../../model/model.js';
import { conditionOf } from '../../query/condition.js';
import type { Condition } from '../../query/query.plan.js';
import type { RecordFilter } from '../../visibility/record.filter.js';
import type { ColumnValues, RecordReading, RecordStore, StoredRecord } from '../../records/record.store.js';
import type { WriteLocator } from '../../records/writes/unit.parts.js';
import { NotFound } from '../../wire/refusals.js';
import { narrowedBy } from './record.output.js';
import { refusedLookup } from './refused.values.js';

/** Finds the record that meets some conditions, and locks it. */
type Lock = () => Promise<StoredRecord | undefined>;

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
    const { writing } = this.#store;
    const { column } = this.path;
    return this.#told(request, [conditionOf(this.path, '=', value)], () =>
      writing.locate(request.session, column, value),
    );
  }

  /** The record with these values, locked; undefined when there is none, or none that this endpoint is for. */
  async find(request: EndpointRequest, values: ColumnValues): Promise<StoredRecord | undefined> {
    const { writing } = this.#store;
    const conditions = [...values].map(([column, value]) =>
      conditionOf({ text: column.name, relations: [], column }, '=', value),
    );
    try {
      return await this.#told(request, conditions, () => writing.locateBy(request.session, values));
    } catch (error) {
      if (error instanceof NotFound) return undefined;
      throw error;
    }
  }

  async #told(request: EndpointRequest, conditions: readonly Condition[], lock: Lock): Promise<StoredRecord> {
    try {
      return await this.#located(request, conditions, lock);
    } catch (error) {
      throw refusedLookup(error);
    }
  }

  async #located(
    request: EndpointRequest,
    conditions: readonly Condition[],
    lock: Lock,
  ): Promise<StoredRecord> {
    const { writing } = this.#store;
    const { session } = request;
    const { meta } = this.model;
    const restriction = (await session.restrictionsOf(new Set([meta]))).get(meta);
    // Plain conditions are those of the statement that locks; those of the endpoint are not.
    const isNarrowed = restriction?.isPlain === false || !this.filter.isOpen;
    // Nobody waits for a lock on a record that they may not see, nor keeps others waiting for it.
    if (isNarrowed) await this.#refuseHidden(request, conditions);
    const record = await lock();
    if (record === undefined) throw new NotFound();
    if (!isNarrowed) return record;
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
