import type { Column } from '../model/column.js';
import type { RecordQuestions } from '../model/validator.js';
import type { Condition, ListPlan, PageFacts, Selection } from '../query/query.plan.js';
import type { NameTable } from '../wire/name.table.js';
import type { Session } from './session.js';
import type { Fragment } from './sql/statement.js';

/** Values of a record to write, by column; JSON values their columns accepted. */
export type ColumnValues = ReadonlyMap<Column, unknown>;

/** A key as a driver or an entity holds it: the one may have text where the other has a number. */
export type RecordKey = string | number | bigint;

/** A stored record as whoever stores it holds it: an entity of MikroORM, or a backend's own object. */
export type StoredRecord = object;

/** A page of records, each as `R`, and what it tells beside them. */
export interface RecordPage<R> extends PageFacts {
  readonly data: R;
}

/** A record with its columns under internal names, and the stored record it was read from. */
export interface LoadedRecord {
  readonly record: Readonly<Record<string, unknown>>;
  readonly entity: StoredRecord;
}

/**
 * Reads the records of an endpoint. `One` is a record, `Many` the records of a page.
 *
 * Every method works in the request's own session; `narrowed` are sub-selects of keys that records must be in.
 */
export interface RecordReading<One, Many> {
  /** The record that meets the conditions; undefined when there is none to see. */
  find(
    session: Session,
    conditions: readonly Condition[],
    narrowed: readonly Fragment[],
  ): Promise<One | undefined>;
  /** A record the request has just written: its own visibility is not asked, its parents' is. */
  readBack(session: Session, id: unknown): Promise<One | undefined>;
  list(session: Session, plan: ListPlan, narrowed: readonly Fragment[]): Promise<RecordPage<Many>>;
}

/** Reads records as JSON text, their names cased. */
export type TextReading = RecordReading<string, string>;

/** Reads records as plain values with the stored records behind them, for functions of the user's configuration. */
export type LoadedReading = RecordReading<LoadedRecord, readonly LoadedRecord[]>;

/** Writes records. */
export interface RecordWriting {
  /** The key of the new record. */
  create(session: Session, values: ColumnValues): Promise<RecordKey>;
  /** The record a write is about, locked until the transaction ends; undefined when there is none to see. */
  locate(session: Session, lookup: Column, value: unknown): Promise<StoredRecord | undefined>;
  /** Writes what differs; without a difference nothing. */
  update(session: Session, record: StoredRecord, values: ColumnValues): Promise<void>;
  delete(session: Session, record: StoredRecord): Promise<void>;
  idOf(record: StoredRecord): RecordKey;
}

/** Why a write was refused although nothing was said against its values before. */
export interface WriteRefusal {
  readonly reason: 'unique' | 'foreignKey';
  /** The columns of the unique constraint, where it is known. */
  readonly columns: readonly Column[];
}

/** Where the records of one model are (decisions: Backends). What kinds and stages know of databases. */
export interface RecordStore {
  /** Whether MikroORM's queries, cursors and groups work here; a backend of the user's own knows plain conditions. */
  readonly knowsSql: boolean;
  readonly writing: RecordWriting;
  texts(selection: Selection, names: NameTable): TextReading;
  loaded(selection: Selection, names: NameTable): LoadedReading;
  /** @param ownId the key of the record being updated; undefined when it is created */
  questions(session: Session, column: Column, ownId: RecordKey | undefined): RecordQuestions;
  /** Whether a record exists for every key, and may be seen. */
  allExist(session: Session, keys: readonly unknown[]): Promise<boolean>;
  /** What one request reads and writes through. */
  open(): Session;
  /** Runs `work` so that all of it is kept, or nothing where the store can undo. */
  transaction<T>(session: Session, work: () => Promise<T>): Promise<T>;
  /** What an error of a write says about its values; undefined for other errors. */
  refusalOf(error: unknown): WriteRefusal | undefined;
}
