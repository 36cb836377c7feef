import type { EntityMetadata, EntityProperty } from '@mikro-orm/core';
import type { Column } from '../model/column.js';
import type { ColumnPath } from '../model/model.js';
import type { RecordQuestions } from '../model/validator.js';
import type { GroupParts, GroupPlan } from '../query/groups/group.plan.js';
import type { Condition, Criterion, ListPlan, PageFacts, Selection } from '../query/query.plan.js';
import type { Row, RowLayout } from '../sql/row.layout.js';
import type { StatementCache } from '../sql/statement.cache.js';
import type { UnsaidPart } from './groups/unsaid.part.js';
import type { Relatives } from './soft/relatives.js';
import type { Session } from '../visibility/session.js';
import type { RecordKey } from './record.key.js';
import type { Fragment } from '../sql/restriction.js';
import type { BulkWrites } from './writes/bulk/bulk.writes.js';
import type { LinkWriting } from './writes/links/link.writing.js';
import type { WriteInput, WriteListeners, WriteRequest, Writes } from './writes/writes.js';

export type { RecordKey } from './record.key.js';

/** Values of a record to write, by column; JSON values their columns accepted. */
export type ColumnValues = ReadonlyMap<Column, unknown>;

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

/** The values of a record to write, and the record where there is one. */
export interface StagedInput {
  readonly values: ColumnValues;
  readonly record?: StoredRecord | undefined;
}

/** Writes of many records on their way, in the order of their inputs. */
export interface StagedWrites {
  readonly all: readonly Pick<StagedWrite, 'record' | 'changes'>[];
  /** Runs `work` while nothing of the records is written yet. */
  hold(work: () => Promise<void>): Promise<void>;
  /** Writes what differs, in batches. The keys of the records. */
  write(): Promise<readonly RecordKey[]>;
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
    conditions: readonly Criterion[],
    narrowed: readonly Fragment[],
  ): Promise<Row | undefined>;
  /** A record the request has just written: its own visibility is not asked, its parents' is. */
  readBack(session: Session, id: unknown): Promise<Row | undefined>;
  /** {@link readBack} of several records, in no order. */
  readBackAll(session: Session, ids: readonly RecordKey[]): Promise<readonly Row[]>;
  list(session: Session, plan: ListPlan, narrowed: readonly Fragment[]): Promise<RowPage>;
  /** Every entity whose restrictions count for a {@link list}; none where the records are in no database. */
  entitiesOf(plan: ListPlan): ReadonlySet<EntityMetadata>;
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
  /** {@link locate} by the values of several columns, to the last digit. */
  locateBy(session: Session, values: ColumnValues): Promise<StoredRecord | undefined>;
  /** Writes what differs; without a difference nothing. */
  update(session: Session, record: StoredRecord, values: ColumnValues): Promise<void>;
  /** {@link create}, or {@link update} of a record, in steps. */
  stage(session: Session, values: ColumnValues, record?: StoredRecord): Promise<StagedWrite>;
  /** Writes what functions of the user's left unwritten in the transaction. */
  settle(session: Session): Promise<void>;
  delete(session: Session, record: StoredRecord): Promise<void>;
  idOf(record: StoredRecord): RecordKey;
}

/** The unique index by which an Upsert knows that its record is there. */
export interface RecordConflicts {
  /** Gives the reason why the database does not refuse a second record with the same values; undefined when it does. */
  reasonAgainst(session: Session): Promise<string | undefined>;
  /** {@link reasonAgainst}, for a start: undefined too where the database does not tell it in time. */
  misfit(): Promise<string | undefined>;
  /** True if an error of a write says that there is a record with the same values. */
  isViolatedBy(session: Session, error: unknown): Promise<boolean>;
  /** True if there is a record with these values, whoever may see it. */
  isTaken(session: Session, values: ColumnValues): Promise<boolean>;
  /** {@link isTaken} of many, with one statement. */
  areTaken(session: Session, all: readonly ColumnValues[]): Promise<readonly boolean[]>;
  /** Finds the mark of new rows; undefined where a statement cannot rely on one, or on the index. */
  markOf(session: Session): NewRowMark | undefined | Promise<NewRowMark | undefined>;
}

/**
 * A mark by which a statement tells a row that it made from one that it changed: there is no row as it was (PostgreSQL from 18
 * on), or nobody has locked it.
 */
export type NewRowMark = 'old' | 'xmax';

/** The columns by which an Upsert finds its record. */
export interface ConflictUse {
  readonly paths: readonly ColumnPath[];
  readonly index: RecordConflicts;
  /** Picks what a record gets that is there already. */
  changes(values: ColumnValues): ColumnValues;
}

/** Writes many records at once, in statements whose number does not grow with them, but for the size of batches. */
export interface BulkWriting extends Pick<RecordWriting, 'settle' | 'idOf'> {
  /**
   * The records by some values of a column, in the order of the values, locked in the order of their ids until the transaction
   * ends; undefined for those that are not there to see.
   * @param open the keys of the only ones that may be locked; undefined for all
   */
  locateAll(
    session: Session,
    lookup: Column,
    values: readonly unknown[],
    open?: readonly unknown[],
  ): Promise<readonly (StoredRecord | undefined)[]>;
  /** {@link locateAll} by the values of several columns, the same ones for all. */
  locateAllBy(
    session: Session,
    all: readonly ColumnValues[],
    open?: readonly unknown[],
  ): Promise<readonly (StoredRecord | undefined)[]>;
  stageAll(session: Session, inputs: readonly StagedInput[]): Promise<StagedWrites>;
  deleteAll(session: Session, records: readonly StoredRecord[]): Promise<void>;
  /** The key of a parent that a record refers to; undefined where it has none. */
  parentKeyIn(record: StoredRecord, column: Column): RecordKey | undefined;
  /** Gives a question about a record: true once it has changed since. */
  watch(session: Session, record: StoredRecord): () => boolean;
  /** Gives records that have not changed themselves the version and the time of a change: records that belong to them have. */
  touchAll(session: Session, records: readonly StoredRecord[]): Promise<void>;
  linksOf(property: EntityProperty): LinkWriting;
  /** Forgets writes that were refused. */
  forget(session: Session): void;
}

/** The subject of an endpoint's writes. */
export interface WriteUse {
  /** The columns that a client sets, or the service. */
  readonly columns: readonly Column[];
  /** The column by which the record is found; undefined for new ones. */
  readonly lookup: ColumnPath | undefined;
  /** The columns by which an Upsert finds its record; left out for other writes. */
  readonly conflict?: ConflictUse | undefined;
  /** The conditions that the endpoint sets for the records it writes. */
  readonly conditions: readonly Condition[];
  /** The parts of the written record that are answered. */
  readonly selection: Selection;
  readonly reading: RecordReading;
  /** The cache for statements of what a client chose to see; left out, the writes have one of their own. */
  readonly statements?: StatementCache | undefined;
  /** Tells if somebody listens to these writes now, and must be told of entities. */
  readonly listeners: WriteListeners;
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

/** Reads groups of records: what they have in common, and what is measured of them. */
export interface GroupReading {
  /**
   * Reads a page of groups.
   * @param layout of the rows: the values that are shown, in their order
   */
  groups(
    session: Session,
    plan: GroupPlan,
    layout: RowLayout,
    narrowed: readonly Fragment[],
  ): Promise<GroupPage>;
  /** True if there are time zones beside UTC. */
  readonly knowsTimeZones: boolean;
  /** True if a time zone is one of those that the database knows. */
  knowsTimeZone(name: string): Promise<boolean>;
}

/** A page of groups. */
export type GroupPage = Omit<RowPage, 'last'>;

/** Questions about many records of a request. */
export interface QuestionsOfMany {
  /**
   * The questions of one record.
   * @param index its place among those of the request
   */
  of(index: number, ownId: RecordKey | undefined): RecordQuestions;
}

/** The store of one model's records (decisions: Backends). Kinds and stages know databases only through it. */
export interface RecordStore {
  /** True if MikroORM's queries, cursors and groups work here; a backend of the user's own knows plain conditions. */
  readonly knowsSql: boolean;
  /** The records that a mark of deleted ones concerns, too; undefined where records are deleted for good. */
  readonly relatives?: Relatives | undefined;
  readonly writing: RecordWriting;
  /**
   * True if records that the request has written are all within what binds them, such as a tenant. Left out where nothing can.
   * @param ids of records, each once
   */
  areWithin?(session: Session, ids: readonly RecordKey[]): Promise<boolean>;
  /** Undefined where many records cannot be written as one: nobody can undo what a backend of the user's own did. */
  readonly bulkWriting: BulkWriting | undefined;
  /**
   * Writes that are one statement each, or the reason why they cannot be.
   * @param unit for what a statement cannot do
   */
  statementWrites<R extends WriteRequest, I extends WriteInput>(
    use: WriteUse,
    unit: Writes<R, I>,
  ): Writes<R, I> | string;
  /** The names of properties without which no record can be stored, and that nothing but these columns gives a value. */
  unfilledBy(columns: readonly Column[]): readonly string[];
  /** The unique index of these columns; undefined where nobody knows of indexes. */
  conflictsOf(columns: readonly Column[]): RecordConflicts | undefined;
  /**
   * Writes of many records in a number of statements that does not grow with them, or the reason why they cannot be.
   * @param unit for what such statements cannot do
   */
  bulkStatementWrites<R extends WriteRequest, I extends WriteInput>(
    use: WriteUse,
    unit: BulkWrites<R, I>,
  ): BulkWrites<R, I> | string;
  /** Gives the reason why reads of these columns are MikroORM's; undefined when they go past it. */
  reasonAgainstReads(selection: Selection): string | undefined;
  /** @param statements keeps the statements for what a client chose to see; left out, each use has a cache of its own */
  reading(selection: Selection, statements?: StatementCache): RecordReading;
  /** Finds records that others refer to: rules about the records that an endpoint is for do not hold for them. */
  readingReferred(selection: Selection): Pick<RecordReading, 'find'>;
  /**
   * Reads groups of records, or the reason why it cannot.
   * @param parts all that requests may ask for
   */
  grouping(parts: GroupParts): GroupReading | UnsaidPart;
  /** Reads rows with their stored records, for functions of the user's: see {@link RowLayout.atStored}. */
  readingStored(selection: Selection): RecordReading;
  /** Reads records that are at hand already. */
  given(selection: Selection): GivenRecords;
  /** @param ownId the key of the record being updated; undefined when it is created */
  questions(session: Session, column: Column, ownId: RecordKey | undefined): RecordQuestions;
  /** Answers {@link questions} about many records with one statement for those that are asked at the same time. */
  gatheredQuestions(session: Session, column: Column): QuestionsOfMany;
  /** Tells for some keys whether a record exists for them, and may be seen. */
  existing(session: Session, keys: readonly unknown[]): Promise<(key: unknown) => boolean>;
  /** True if a record exists for every key, and may be seen. */
  allExist(session: Session, keys: readonly unknown[]): Promise<boolean>;
  /** Runs `work` so that all of it is kept, or nothing where the store can undo. */
  transaction<T>(session: Session, work: () => Promise<T>): Promise<T>;
  /** Finds what an error of a write says about its values; undefined for other errors. */
  refusalOf(error: unknown): WriteRefusal | undefined;
}
