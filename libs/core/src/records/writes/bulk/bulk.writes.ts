import type { Criterion } from '../../../query/query.plan.js';
import type { Row } from '../../../sql/row.layout.js';
import type { Mark } from '../../soft/mark.js';
import type { ExpectedVersions, WriteInput, WriteRequest } from '../writes.js';

/** Place of a record in the body of a request, which its complaints are told by: `records.3`, `ids.3`. */
export type Place = string;

/** The input for one new record of several. */
export interface PlacedInput<I> {
  readonly place: Place;
  readonly input: I;
}

/** One record of several that a write is about. */
export interface PlacedTarget {
  /** The place of its entry: `records.3`, `ids.3`. */
  readonly place: Place;
  /** The place of what names it: `records.3.id`, `ids.3`. */
  readonly key: Place;
  /** The value of the column by which records of the endpoint are looked up. No two targets of a request have the same. */
  readonly value: unknown;
  /** Undefined when the client lets any version be changed. */
  readonly expected: ExpectedVersions | undefined;
}

/** One change of several: each has its own input, or all have the same object, whose place is `changes`. */
export interface PlacedChange<I> extends PlacedTarget {
  readonly change: PlacedInput<I>;
}

/** The records that a search meets; their number is not known before. */
export interface MetRecords {
  /** The conditions of the client's, beside those of the endpoint. */
  readonly conditions: readonly Criterion[];
  /** The most records that the client lets the write touch. */
  readonly maximum: number;
}

/** Makes an answer of the records that were written, in the order in which they were named; of {@link MetRecords} by id. */
export type BulkAnswer<R, T> = (request: R, rows: readonly Row[]) => T | Promise<T>;

/** The numbers of records that were written. All others are as they were: they had the values already, or are left alone. */
export interface WrittenCounts {
  readonly created: number;
  readonly updated: number;
}

/** Makes an answer of records of which some may be new. */
export type BulkUpsertAnswer<R, T> = (
  request: R,
  rows: readonly Row[],
  counts: WrittenCounts,
) => T | Promise<T>;

/**
 * The writes of an endpoint for many records (contract: CreateMany, UpdateMany, DeleteMany). All of a request is written, or
 * nothing. The number of statements does not depend on the number of records. Refusals are thrown; what is wrong with a
 * record is told by its place.
 */
export interface BulkWrites<R extends WriteRequest, I extends WriteInput> {
  /** @throws InvalidInput */
  create<T>(request: R, inputs: readonly PlacedInput<I>[], answer: BulkAnswer<R, T>): Promise<T>;
  /**
   * Creates records, or changes those that have the same values in the columns of `ConflictUse`. The rows are in the order of
   * the inputs.
   * @throws InvalidInput
   */
  upsert<T>(request: R, inputs: readonly PlacedInput<I>[], answer: BulkUpsertAnswer<R, T>): Promise<T>;
  /** @throws InvalidInput also for a record that is not there to see; PreconditionFailed of the first by place */
  update<T>(request: R, changes: readonly PlacedChange<I>[], answer: BulkAnswer<R, T>): Promise<T>;
  /** @throws Conflict where more records meet the conditions than may */
  updateMet<T>(request: R, met: MetRecords, change: PlacedInput<I>, answer: BulkAnswer<R, T>): Promise<T>;
  /**
   * The rows are of the records as they were.
   * @param mark of deleted records, where these stay; left out, they are deleted for good
   * @throws as {@link update}
   */
  delete<T>(request: R, targets: readonly PlacedTarget[], answer: BulkAnswer<R, T>, mark?: Mark): Promise<T>;
  /** @throws as {@link updateMet} */
  deleteMet<T>(request: R, met: MetRecords, answer: BulkAnswer<R, T>, mark?: Mark): Promise<T>;
}
