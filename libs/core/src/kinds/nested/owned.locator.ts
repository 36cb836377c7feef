import type { EndpointRequest } from '../../endpoint/request/endpoint.request.js';
import type { Column } from '../../model/column.js';
import type { BulkWriting, RecordKey, StoredRecord } from '../../records/record.store.js';
import type { BulkWriteLocator } from '../../records/writes/bulk/bulk.parts.js';
import type { MetRecords } from '../../records/writes/bulk/bulk.writes.js';

/** The record that a related one has to belong to. */
export interface Ownership {
  /** Undefined where it may belong to any. */
  readonly owner: RecordKey | undefined;
  /** Finds and locks the records that others belong to, which are linked now; left out where they must belong to `owner`. */
  readonly leaves?: (keys: readonly RecordKey[]) => Promise<readonly (StoredRecord | undefined)[]>;
}

/** A related record, and a question if it has changed since it was found. */
interface FoundRecord {
  readonly record: StoredRecord;
  readonly isChanged: () => boolean;
}

/** Finds and locks related records, of those that belong to the right one. Made once per endpoint. */
export class OwnedLocator implements BulkWriteLocator<EndpointRequest> {
  readonly #sought = new WeakMap<EndpointRequest, readonly Ownership[]>();
  readonly #found = new WeakMap<EndpointRequest, readonly (FoundRecord | undefined)[]>();

  /** @param key the column with the key of what a record belongs to; undefined where no record does */
  constructor(
    private readonly inner: BulkWriteLocator<EndpointRequest>,
    private readonly writing: BulkWriting,
    private readonly key: Column | undefined,
  ) {}

  /** Says what the records of the next {@link locate} belong to, in the order of their values. */
  expect(request: EndpointRequest, owners: readonly Ownership[]): void {
    this.#sought.set(request, owners);
  }

  /** The records of the last {@link locate} of a request. */
  foundFor(request: EndpointRequest): readonly (FoundRecord | undefined)[] {
    return this.#found.get(request) ?? [];
  }

  async locate(
    request: EndpointRequest,
    values: readonly unknown[],
  ): Promise<readonly (StoredRecord | undefined)[]> {
    const located = await this.inner.locate(request, values);
    const owners = this.#sought.get(request) ?? [];
    const isLost = await this.#areLost(located, owners);
    const found = located.map((record, index) => {
      const ownership = owners[index];
      if (record === undefined || ownership === undefined) return undefined;
      return this.#belongs(record, ownership) && !isLost(record) ? record : undefined;
    });
    const { session } = request;
    this.#found.set(
      request,
      found.map((record) => record && { record, isChanged: this.writing.watch(session, record) }),
    );
    return found;
  }

  met(request: EndpointRequest, met: MetRecords): Promise<readonly StoredRecord[]> {
    return this.inner.met(request, met);
  }

  #belongs(record: StoredRecord, { owner, leaves }: Ownership): boolean {
    if (owner === undefined || leaves !== undefined) return true;
    return String(this.#ownerOf(record)) === String(owner);
  }

  /** Asks about what records belong to that are linked to another: who cannot see it cannot take them away from it. */
  async #areLost(
    records: readonly (StoredRecord | undefined)[],
    owners: readonly Ownership[],
  ): Promise<(record: StoredRecord) => boolean> {
    const leaving = new Map<string, RecordKey>();
    let leaves: Ownership['leaves'];
    for (const [index, record] of records.entries()) {
      const ownership = owners[index];
      const now = record && this.#ownerOf(record);
      if (now === undefined || ownership?.leaves === undefined) continue;
      if (String(now) === String(ownership.owner)) continue;
      ({ leaves } = ownership);
      leaving.set(String(now), now);
    }
    const keys = [...leaving.values()];
    const seen = (await leaves?.(keys)) ?? [];
    const hidden = new Set(keys.filter((_, index) => seen[index] === undefined).map(String));
    return (record) => hidden.has(String(this.#ownerOf(record)));
  }

  #ownerOf(record: StoredRecord): RecordKey | undefined {
    return this.key && this.writing.parentKeyIn(record, this.key);
  }
}
