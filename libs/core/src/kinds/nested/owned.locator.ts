import type { EndpointRequest } from '../../endpoint/request/endpoint.request.js';
import type { Column } from '../../model/column.js';
import type { BulkWriting, RecordKey, StoredRecord } from '../../records/record.store.js';
import type { LinkWriting, RecordLink } from '../../records/writes/links/link.writing.js';
import type { BulkWriteLocator } from '../../records/writes/bulk/bulk.parts.js';
import type { MetRecords } from '../../records/writes/bulk/bulk.writes.js';
import type { Refusal } from '../../wire/refusals.js';

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

/** Gives a question if a record is linked to an owner. */
export function linkSet(links: readonly RecordLink[]): (owner: RecordKey, member: RecordKey) => boolean {
  const textOf = (owner: RecordKey, member: RecordKey): string =>
    JSON.stringify([String(owner), String(member)]);
  const known = new Set(links.map(({ owner, member }) => textOf(owner, member)));
  return (owner, member) => known.has(textOf(owner, member));
}

/** Finds and locks related records, of those that belong to the right one. Made once per endpoint. */
export class OwnedLocator implements BulkWriteLocator<EndpointRequest> {
  readonly #sought = new WeakMap<EndpointRequest, readonly Ownership[]>();
  readonly #found = new WeakMap<EndpointRequest, readonly (FoundRecord | undefined)[]>();

  /** @param owning the column with the key of what a record belongs to, or its links; undefined where no record belongs */
  constructor(
    private readonly inner: BulkWriteLocator<EndpointRequest>,
    private readonly writing: BulkWriting,
    private readonly owning: Column | LinkWriting | undefined,
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
    const isLinked = await this.#areLinked(request, located, owners);
    const found = located.map((record, index) => {
      const ownership = owners[index];
      if (record === undefined || ownership === undefined) return undefined;
      if (isLinked !== undefined) return isLinked(record, ownership) ? record : undefined;
      return this.#belongs(record, ownership) && !isLost(record) ? record : undefined;
    });
    const { session } = request;
    this.#found.set(
      request,
      found.map((record) => record && { record, isChanged: this.writing.watch(session, record) }),
    );
    return found;
  }

  /** Locks records, whatever they belong to. In the order of the values; undefined for those that are not there to see. */
  hold(request: EndpointRequest, values: readonly unknown[]): Promise<readonly (StoredRecord | undefined)[]> {
    return this.inner.locate(request, values);
  }

  met(request: EndpointRequest, met: MetRecords, tooMany?: () => Refusal): Promise<readonly StoredRecord[]> {
    return this.inner.met(request, met, tooMany);
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

  /** Undefined where records have keys of what they belong to. */
  async #areLinked(
    { session }: EndpointRequest,
    records: readonly (StoredRecord | undefined)[],
    ownerships: readonly Ownership[],
  ): Promise<((record: StoredRecord, ownership: Ownership) => boolean) | undefined> {
    const { owning: links } = this;
    if (links === undefined || !('among' in links)) return undefined;
    const owners = ownerships.flatMap(({ owner }) => owner ?? []);
    const members = records.flatMap((record) => (record === undefined ? [] : [this.writing.idOf(record)]));
    const linked = linkSet(await links.among(session, owners, members));
    return (record, { owner }) => owner === undefined || linked(owner, this.writing.idOf(record));
  }

  #ownerOf(record: StoredRecord): RecordKey | undefined {
    const { owning: key } = this;
    return key === undefined || 'among' in key ? undefined : this.writing.parentKeyIn(record, key);
  }
}
