import type { Column } from '../model/column.js';
import type { ColumnPath } from '../model/model.js';
import type { RecordQuestions } from '../model/validator.js';
import type { Condition, ListPlan, PageFacts, Selection } from '../query/query.plan.js';
import type { Row, RowLayout } from '../sql/row.layout.js';
import type { StatementCache } from '../sql/statement.cache.js';
import type { Session } from '../visibility/session.js';
import type { Fragment } from '../sql/restriction.js';
import type { WriteInput, WriteRequest, Writes } from './writes/writes.js';

/** Values of a record to write, by column; JSON values their columns accepted. */
export type ColumnValues = ReadonlyMap<Column, unknown>;

/** A key as a driver or an entity holds it: the one may have text where the other has a number. */
export type RecordKey = string | number | bigint;

/** A stored record as whoever stores it holds it: an entity of MikroORM, or a backend's own object. */
export type StoredRecord = object;

/** Values of a record's columns by internal name, as the record itself has them. */
export type Changes = Readonly<Record<string, unknown>>;

/** A write on its way: functions of the user's may see what it is about, and change it. */
export interface StagedWrite {
  readonly record: StoredRecord;
  /** Gives the differences from what is stored: before {@link write} what will be written, after it what was. */
  changes(): Changes;
  /** Runs `work` while nothing of the record is written yet, whatever `work` asks of the database. */
  hold(work: () => Promise<void>): Promise<void>;
  /** Writes what differs. The key of the record. */
  write(): Promise<RecordKey>;
}

/** A page of records, and what it tells beside them. */
export interface RowPage extends PageFacts {
  readonly rows: readonly Row[];
}

/**
 * Reads the records of an endpoint as rows. Every method works in the request's own session; `narrowed` are sub-selects
 * of keys that records must be in.
 */
export interface RecordReading {
  /** The layout of the rows. */
  readonly layout: RowLayout;
  /** The record that meets the conditions; undefined when there is none to see. */
  find(
    session: Session,
    conditions: readonly Condition[],
    narrowed: readonly Fragment[],
  ): Promise<Row | undefined>;
  /** A record the request has just written: its own visibility is not asked, its parents' is. */
  readBack(session: Session, id: unknown): Promise<Row | undefined>;
  list(session: Session, plan: ListPlan, narrowed: readonly Fragment[]): Promise<RowPage>;
}

/** Makes rows of records that a function of the user's gives, as reads would. */
export interface GivenRecords {
  readonly layout: RowLayout;
  /** True if a value is a record of the model. */
  isRecord(value: unknown): value is StoredRecord;
  /**
   * @param isFiltered whether MikroORM's filters hold for the parents that are loaded already: those of a query of the
   * user's, which joins them without
   */
  rows(session: Session, records: readonly StoredRecord[], isFiltered?: boolean): Promise<readonly Row[]>;
}

/** Writes records. */
export interface RecordWriting {
  /** The key of the new record. */
  create(session: Session, values: ColumnValues): Promise<RecordKey>;
  /** The record a write is about, locked until the transaction ends; undefined when there is none to see. */
  locate(session: Session, lookup: Column, value: unknown): Promise<StoredRecord | undefined>;
  /** Writes what differs; without a difference nothing. */
  update(session: Session, record: StoredRecord, values: ColumnValues): Promise<void>;
  /** {@link create}, or {@link update} of a record, in steps. */
  stage(session: Session, values: ColumnValues, record?: StoredRecord): Promise<StagedWrite>;
  /** Writes what functions of the user's left unwritten in the transaction. */
  settle(session: Session): Promise<void>;
  delete(session: Session, record: StoredRecord): Promise<void>;
  idOf(record: StoredRecord): RecordKey;
}

/** The subject of an endpoint's writes. */
export interface WriteUse {
  /** The columns that a client sets, or the service. */
  readonly columns: readonly Column[];
  /** The column by which the record is found; undefined for new ones. */
  readonly lookup: ColumnPath | undefined;
  /** The conditions that the endpoint sets for the records it writes. */
  readonly conditions: readonly Condition[];
  /** The parts of the written record that are answered. */
  readonly selection: Selection;
  readonly reading: RecordReading;
  /** The cache for statements of what a client chose to see; left out, the writes have one of their own. */
  readonly statements?: StatementCache | undefined;
  /** Tells if somebody listens to these writes now, and must be told of entities. */
  readonly listeners: { readonly isHeard: boolean };
}

/** A write that the database refused although nothing was said against its values before. */
export interface WriteRefusal {
  /** True if the questions of validators may find out the reason by now, because another request was faster. */
  readonly mayBeExplained: boolean;
  /** Finds the database's own complaint about the values; undefined where it cannot be told which column it is about. */
  complaintIn(session: Session, values: ColumnValues): Promise<ColumnComplaint | undefined>;
}

/** A complaint about the first of some columns that was sent. */
interface ColumnComplaint {
  readonly columns: readonly Column[];
  /** The complaint, by the name that the client knows. */
  readonly complaint: (columnName: string) => string;
}

/** The store of one model's records (decisions: Backends). Kinds and stages know databases only through it. */
export interface RecordStore {
  /** True if MikroORM's queries, cursors and groups work here; a backend of the user's own knows plain conditions. */
  readonly knowsSql: boolean;
  readonly writing: RecordWriting;
  /**
   * Writes that are one statement each, or the reason why they cannot be.
   * @param unit for what a statement cannot do
   */
  statementWrites<R extends WriteRequest, I extends WriteInput>(
    use: WriteUse,
    unit: Writes<R, I>,
  ): Writes<R, I> | string;
  /** Gives the reason why reads of these columns are MikroORM's; undefined when they go past it. */
  reasonAgainstReads(selection: Selection): string | undefined;
  /** @param statements keeps the statements for what a client chose to see; left out, each use has a cache of its own */
  reading(selection: Selection, statements?: StatementCache): RecordReading;
  /** Finds records that others refer to: rules about the records that an endpoint is for do not hold for them. */
  readingReferred(selection: Selection): Pick<RecordReading, 'find'>;
  /** Reads rows with their stored records, for functions of the user's: see {@link RowLayout.atStored}. */
  readingStored(selection: Selection): RecordReading;
  /** Reads records that are at hand already. */
  given(selection: Selection): GivenRecords;
  /** @param ownId the key of the record being updated; undefined when it is created */
  questions(session: Session, column: Column, ownId: RecordKey | undefined): RecordQuestions;
  /** True if a record exists for every key, and may be seen. */
  allExist(session: Session, keys: readonly unknown[]): Promise<boolean>;
  /** Runs `work` so that all of it is kept, or nothing where the store can undo. */
  transaction<T>(session: Session, work: () => Promise<T>): Promise<T>;
  /** Finds what an error of a write says about its values; undefined for other errors. */
  refusalOf(error: unknown): WriteRefusal | undefined;
}
