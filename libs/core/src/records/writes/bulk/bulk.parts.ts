import type { Column } from '../../../model/column.js';
import type { Row } from '../../../sql/row.layout.js';
import type { Refusal } from '../../../wire/refusals.js';
import type {
  BulkWriting,
  ColumnValues,
  ConflictUse,
  RecordKey,
  RecordReading,
  RecordStore,
  StoredRecord,
} from '../../record.store.js';
import type { Subject } from '../unit.parts.js';
import type { Mark } from '../../soft/mark.js';
import type { Relatives } from '../../soft/relatives.js';
import type { WriteInput, WriteRequest } from '../writes.js';
import type { MetRecords, Place, PlacedInput, PlacedTarget } from './bulk.writes.js';

/** One record of a request for many, on its way. */
export interface BulkRecord<I> {
  /** Its position among those of the request. */
  readonly index: number;
  /** The place of its entry; undefined for one that conditions met. */
  readonly entry: Place | undefined;
  /** The place of its columns: that of the entry, or `changes`. */
  readonly place: Place;
  /** Undefined for one that is deleted. */
  readonly input: I | undefined;
  /** The values that it gets; left out, all of its input. */
  readonly values?: ColumnValues;
  /** Undefined for a new one. */
  readonly subject: Subject | undefined;
}

/** Judges what many records are to be made of, all of them at once. */
export interface BulkWriteJudge<R, I> {
  /** @throws InvalidInput with everything that the database and custom rules say */
  judge(request: R, records: readonly BulkRecord<I>[]): Promise<void>;
  /** Judges once more what others may have changed meanwhile, when the records are written. @throws InvalidInput */
  confirm(request: R, records: readonly BulkRecord<I>[]): Promise<void>;
  /** Asks again what others may have been faster with. @throws InvalidInput */
  askAgain(request: R, records: readonly BulkRecord<I>[]): Promise<void>;
  /** Says of a record what the database has against it. @throws InvalidInput where a column explains it */
  blame(error: unknown, request: R, record: BulkRecord<I>): Promise<void>;
}

/** Finds and locks the records that a write is about, in the order of their ids. */
export interface BulkWriteLocator<R> {
  /** The records in the order of the values; undefined where there is none, or none that the endpoint is for. */
  locate(request: R, values: readonly unknown[]): Promise<readonly (StoredRecord | undefined)[]>;
  /**
   * The records that meet conditions, by id.
   *
   * @param tooMany what is thrown where there are too many; left out: a Conflict
   */
  met(request: R, met: MetRecords, tooMany?: () => Refusal): Promise<readonly StoredRecord[]>;
}

/** Demands versions of locked records. */
export interface BulkVersionCheck<R> {
  /** @throws PreconditionFailed of the first that is in another version */
  checkAll(request: R, records: readonly (PlacedTarget & { readonly id: RecordKey })[]): Promise<void>;
}

/** The parts that an upsert of many records needs beside those of all writes. */
export interface BulkUpsertParts<R, I> extends Pick<ConflictUse, 'index' | 'changes'> {
  /** True if a record that is there already is left as it is. */
  readonly leaves: boolean;
  /** The values of the columns by which a record is found; undefined where something is wrong with one of them. */
  keyOf(input: I): ColumnValues | undefined;
  /** Finds and locks the records that have these values; undefined where there is none that the endpoint is for. */
  find(request: R, all: readonly ColumnValues[]): Promise<readonly (StoredRecord | undefined)[]>;
  /** Refuses values that records have which the request may not see. @throws InvalidInput */
  refuseTaken(records: readonly BulkRecord<I>[]): void;
  /** Refuses a record that has the same values as an earlier one. @throws InvalidInput */
  refuseRepeated(record: BulkRecord<I>, earlier: BulkRecord<I>): void;
}

/** Records that were saved. */
export interface SavedRecords {
  /** The keys, in the order of the records. */
  readonly keys: readonly RecordKey[];
  /** True if the record at a place was new, or has other values than before. */
  readonly isChanged: (index: number) => boolean;
}

/** Writes many records, with what functions of the user's do before and after. */
export interface BulkWriteSteps<R, I> {
  createAll(request: R, records: readonly BulkRecord<I>[]): Promise<readonly RecordKey[]>;
  updateAll(request: R, records: readonly BulkRecord<I>[]): Promise<readonly RecordKey[]>;
  /** Creates records, and updates those that have a subject. */
  saveAll(request: R, records: readonly BulkRecord<I>[]): Promise<SavedRecords>;
  /** @param mark of deleted records, where these stay */
  deleteAll(request: R, records: readonly BulkRecord<I>[], mark?: Mark): Promise<void>;
}

/** The parts of a unit of work on many records. */
export interface BulkParts<R extends WriteRequest, I extends WriteInput> {
  readonly store: RecordStore;
  readonly writing: BulkWriting;
  /** The column of the records' keys. */
  readonly idColumn: Column;
  /** Reads back what is answered; undefined where nothing of the records is. */
  readonly reading: RecordReading | undefined;
  /** The key in rows of {@link reading}. */
  readonly keyOf: (row: Row) => unknown;
  readonly judge: BulkWriteJudge<R, I>;
  readonly locator: BulkWriteLocator<R>;
  readonly versions: BulkVersionCheck<R>;
  readonly steps: BulkWriteSteps<R, I>;
  /** The records that a mark of deleted ones concerns, too; left out where records are deleted for good. */
  readonly relatives?: Relatives | undefined;
  /** The parts of an upsert; left out for other writes. */
  readonly upsert?: BulkUpsertParts<R, I> | undefined;
}

/** New records, in the order in which they were sent. */
export function newRecords<I>(inputs: readonly PlacedInput<I>[]): readonly BulkRecord<I>[] {
  return inputs.map(({ place, input }, index) => ({ index, entry: place, place, input, subject: undefined }));
}

/** The records as they are written by now. */
export function withKeys<I>(
  records: readonly BulkRecord<I>[],
  keys: readonly RecordKey[],
): readonly BulkRecord<I>[] {
  return records.map((one, index) => {
    const id = keys[index];
    return id === undefined ? one : { ...one, subject: { id, record: one.subject?.record ?? one } };
  });
}
