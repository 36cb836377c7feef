import type { KindContext } from '../../endpoint/kind.context.js';
import type { EndpointRequest } from '../../endpoint/request/endpoint.request.js';
import type { ColumnPath, Model } from '../../model/model.js';
import type { Criterion, SelectedColumn } from '../../query/query.plan.js';
import { plainValueOf } from '../../sql/plain.row.js';
import type { Row } from '../../sql/row.layout.js';
import { amongTuples, tuplePieces } from '../../query/value.tuples.js';
import type { RecordFilter } from '../../visibility/record.filter.js';
import type { BulkWriting, ColumnValues, RecordReading, StoredRecord } from '../../records/record.store.js';
import type { BulkWriteLocator } from '../../records/writes/bulk/bulk.parts.js';
import type { MetRecords } from '../../records/writes/bulk/bulk.writes.js';
import { Conflict, type Refusal } from '../../wire/refusals.js';
import { narrowedBy } from '../record/record.output.js';
import { refusedLookup, refusedSearch } from '../record/refused.values.js';
import { recordKeyText } from '../../records/record.key.js';

/** The most records that are looked through for those with the values of several columns. */
const mostRows = 1_000_000;

/** The records that are looked for, by values. */
interface SoughtRecords {
  /** The number of values, and of what comes of them. */
  readonly number: number;
  /** The most records that may have them. */
  readonly limit: number;
  /** One criterion for each statement that looks for them. */
  readonly sought: readonly Criterion[];
  /** @param open the keys of those that may be locked; undefined for all */
  readonly lock: (
    open: readonly unknown[] | undefined,
    request: EndpointRequest,
  ) => Promise<readonly (StoredRecord | undefined)[]>;
}

/** Finds and locks the records that a request for many is about. Made once per endpoint. */
export class BulkLocator implements BulkWriteLocator<EndpointRequest> {
  readonly #keys: RecordReading;
  readonly #keyOf: (row: Row) => unknown;

  constructor(
    context: KindContext,
    private readonly model: Model,
    private readonly writing: BulkWriting,
    /** The column by which records are found. */
    private readonly path: ColumnPath,
    private readonly filter: RecordFilter,
  ) {
    const { idPath } = model;
    const key: SelectedColumn = { kind: 'column', name: idPath.text, path: idPath };
    this.#keys = context.store(model).reading([key]);
    this.#keyOf = plainValueOf(key, this.#keys.layout, context.database.dialect.platform);
  }

  async locate(
    request: EndpointRequest,
    values: readonly unknown[],
  ): Promise<readonly (StoredRecord | undefined)[]> {
    try {
      return await this.#located(request, this.#by(this.path, values));
    } catch (error) {
      throw refusedLookup(error);
    }
  }

  /** The records with these values, locked; undefined where there is none, or none that this endpoint is for. */
  async find(
    request: EndpointRequest,
    all: readonly ColumnValues[],
  ): Promise<readonly (StoredRecord | undefined)[]> {
    const isOne = all[0]?.size === 1;
    try {
      return await this.#located(request, {
        number: all.length,
        // Of an index of some records alone, others may have the same values.
        limit: isOne ? all.length : mostRows,
        sought: [...tuplePieces(all)].map(amongTuples),
        lock: (open) => this.writing.locateAllBy(request.session, all, open),
      });
    } catch (error) {
      throw refusedLookup(error);
    }
  }

  /** Records that no longer meet the conditions once they are locked are left alone. */
  async met(
    request: EndpointRequest,
    { conditions, maximum }: MetRecords,
    tooMany = (): Refusal => new Conflict(`The conditions meet more than ${maximum} records`),
  ): Promise<readonly StoredRecord[]> {
    const { idPath } = this.model;
    try {
      const found = await this.#seen(request, conditions, maximum);
      if (found.hasMore) throw tooMany();
      const records = await this.#located(request, this.#by(idPath, found.keys), conditions, found.keys);
      return records.flatMap((record) => record ?? []);
    } catch (error) {
      throw refusedSearch(error);
    }
  }

  /** The records by some values of a column. */
  #by(path: ColumnPath, values: readonly unknown[]): SoughtRecords {
    return {
      number: values.length,
      limit: values.length,
      sought: [{ path, comparison: 'in', value: values }],
      lock: (open, { session }) => this.writing.locateAll(session, path.column, values, open),
    };
  }

  /** @param seen the keys of those that the request may see, where they are known already */
  async #located(
    request: EndpointRequest,
    { number, limit, sought, lock }: SoughtRecords,
    conditions: readonly Criterion[] = [],
    seen?: readonly unknown[],
  ): Promise<readonly (StoredRecord | undefined)[]> {
    if (number === 0) return [];
    const { session } = request;
    const { meta, idPath } = this.model;
    const restriction = (await session.restrictionsOf(new Set([meta]))).get(meta);
    // Plain conditions are those of the statement that locks; those of the endpoint are not.
    const isNarrowed = restriction?.isPlain === false || !this.filter.isOpen;
    // Nobody waits for a lock on a record that they may not see, nor keeps others waiting for it.
    const open = seen ?? (isNarrowed ? await this.#seenOf(request, sought, limit) : undefined);
    const isNone = open?.length === 0;
    const records = isNone ? Array.from({ length: number }, () => undefined) : await lock(open, request);
    if (!isNarrowed && conditions.length === 0) return records;
    // Asked once the records are locked, so that nobody takes them out of the filter meanwhile.
    const ids = records.flatMap((record) => (record === undefined ? [] : [this.writing.idOf(record)]));
    if (ids.length === 0) return records;
    const among = [...conditions, { path: idPath, comparison: 'in', value: ids } as const];
    const { keys } = await this.#seen(request, among, ids.length);
    const textOf = (key: unknown): string => recordKeyText(idPath.column, key);
    const left = new Set(keys.map(textOf));
    return records.map((record) =>
      record !== undefined && left.has(textOf(this.writing.idOf(record))) ? record : undefined,
    );
  }

  /** The keys of records that the request may see of those that meet one of some criteria. */
  async #seenOf(
    request: EndpointRequest,
    sought: readonly Criterion[],
    limit: number,
  ): Promise<readonly unknown[]> {
    const all: unknown[] = [];
    for (const one of sought) for (const key of (await this.#seen(request, [one], limit)).keys) all.push(key);
    return all;
  }

  async #seen(
    request: EndpointRequest,
    conditions: readonly Criterion[],
    limit: number,
  ): Promise<{ readonly keys: readonly unknown[]; readonly hasMore: boolean }> {
    const plan = {
      requestPath: request.path,
      conditions: [...this.filter.conditions, ...conditions],
      sorts: [],
      groupBy: undefined,
      limit,
      from: { start: 0 },
      readsCursor: false,
      count: 'none',
    } as const;
    const narrowed = await narrowedBy(this.filter, request);
    const { rows, hasMore } = await this.#keys.list(request.session, plan, narrowed);
    return { keys: rows.map(this.#keyOf), hasMore };
  }
}
