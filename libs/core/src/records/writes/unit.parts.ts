import type {
  ColumnValues,
  RecordConflicts,
  RecordKey,
  RecordReading,
  RecordStore,
  StoredRecord,
} from '../record.store.js';
import type { Mark } from '../soft/mark.js';
import type { Comeback } from '../soft/comeback.js';
import type { Relatives } from '../soft/relatives.js';
import type { RowTelling } from './row.telling.js';
import type { ExpectedVersions, WriteInput, WriteRequest } from './writes.js';

/** A stored record with its key. */
export interface Subject {
  readonly id: RecordKey;
  readonly record: StoredRecord;
}

/** Judges what a record is to be made of. */
export interface WriteJudge<R, I> {
  /** @throws InvalidInput with everything that the database and custom rules say */
  judge(request: R, input: I, subject?: Subject): Promise<void>;
  /** Judges once more what others may have changed meanwhile, when the record is written. @throws InvalidInput */
  confirm(request: R, input: I, id: RecordKey): Promise<void>;
  /** The error to throw for one of a write. */
  explain(error: unknown, request: R, input: I, subject?: Subject): Promise<unknown>;
}

/** Finds and locks the record that a write is about. */
export interface WriteLocator<R> {
  /** @throws NotFound when there is no such record, or none that the endpoint is for */
  locate(request: R, value: unknown): Promise<StoredRecord>;
}

/** Demands a version of a locked record. */
export interface VersionCheck<R> {
  /** @throws PreconditionFailed */
  check(request: R, id: RecordKey, expected: ExpectedVersions | undefined): Promise<void>;
}

/** Writes a record, with what functions of the user's do before and after. */
export interface WriteSteps<R> {
  create(request: R, values: ColumnValues): Promise<RecordKey>;
  update(request: R, record: StoredRecord, values: ColumnValues): Promise<void>;
  /** @param mark of deleted records, where these stay */
  delete(request: R, record: StoredRecord, mark?: Mark): Promise<void>;
  restore(request: R, record: StoredRecord, mark: Mark): Promise<void>;
}

/** The parts that a Restore and a Delete by a mark need beside those of all writes. */
export interface SoftParts<R> {
  readonly relatives: Relatives;
  /** The time at which a record was deleted. */
  deletedAt(record: StoredRecord): Date | undefined;
  readonly judge: SoftJudge<R>;
}

/** Judges if a deleted record may be live again. */
export interface SoftJudge<R> {
  /**
   * Gives its values, as far as others may have them.
   * @param comeback the records that are restored with it
   * @throws InvalidInput
   */
  judge(request: R, id: RecordKey, comeback: Comeback): Promise<ColumnValues>;
  /** The error to throw for one of a Restore. */
  explain(error: unknown, request: R, values: ColumnValues): Promise<unknown>;
}

/** The parts that an Upsert needs beside those of all writes. */
export interface UpsertParts<R, I> {
  readonly index: RecordConflicts;
  /** Finds and locks the record that has these values; undefined where there is none that the endpoint is for. */
  find(request: R, values: ColumnValues): Promise<StoredRecord | undefined>;
  /** The values of the columns by which the record is found; undefined where something is wrong with one of them. */
  keyOf(input: I): ColumnValues | undefined;
  /** Picks what a record gets that is there already. */
  changes(values: ColumnValues): ColumnValues;
  /** Refuses values that a record has which the request may not see. @throws InvalidInput */
  refuseTaken(input: I): void;
}

/** The record whose related ones are written, when it is written itself. */
export interface WrittenRecord {
  readonly id: RecordKey;
  /** Undefined where nobody has it at hand. */
  readonly record: StoredRecord | undefined;
  readonly isNew: boolean;
}

/** Writes the related records that a body has within that of a record. */
export interface RelatedWrites<R, I> {
  /** Runs a unit of work in a transaction that the writes of related records are a part of. */
  transaction<T>(request: R, input: I, work: () => Promise<T>): Promise<T>;
  /**
   * Writes those that the record refers to.
   * @param record that is changed; undefined for a new one
   */
  before(request: R, input: I, record?: StoredRecord): Promise<void>;
  /** Looks from now on whether a record changes that was found after those. */
  watch(request: R, record: StoredRecord): void;
  /** Writes those that refer to the record. */
  after(request: R, input: I, written: WrittenRecord): Promise<void>;
}

/** The parts of a unit of work. */
export interface UnitParts<R extends WriteRequest, I extends WriteInput> {
  readonly store: RecordStore;
  /** Reads back what is answered. */
  /** Its rows may be told of as they are written. */
  readonly reading: RecordReading & { readonly told?: RowTelling | undefined };
  readonly judge: WriteJudge<R, I>;
  readonly locator: WriteLocator<R>;
  readonly versions: VersionCheck<R>;
  readonly steps: WriteSteps<R>;
  /** The parts of an Upsert; left out for other writes. */
  readonly upsert?: UpsertParts<R, I> | undefined;
  /** The parts of writes of a mark; left out where records are deleted for good. */
  readonly soft?: SoftParts<R> | undefined;
  /** The writes of related records; left out where bodies have none. */
  readonly related?: RelatedWrites<R, I> | undefined;
}
