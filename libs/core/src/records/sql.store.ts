import type { UnsaidPart } from './groups/unsaid.part.js';
import type { Column } from '../model/column.js';
import type { Model } from '../model/model.js';
import type { RecordQuestions } from '../model/validator.js';
import type { Selection } from '../query/query.plan.js';
import type { GroupParts } from '../query/groups/group.plan.js';
import { columnsOf } from '../query/selected.columns.js';
import type { Database } from '../database/database.js';
import { reasonAgainstWrites } from './writes/write.way.js';
import { EntityRows } from './entity.rows.js';
import { GroupReader } from './groups/group.reader.js';
import { GatheredQuestions } from './gathered.questions.js';
import type { NativePool } from '../database/pool/native.pool.js';
import { RecordQuestioner } from './record.questions.js';
import { RecordReader } from './record.reader.js';
import type {
  BulkWriting,
  GivenRecords,
  GroupReading,
  RecordConflicts,
  RecordKey,
  RecordReading,
  RecordStore,
  RecordWriting,
  WriteRefusal,
  WriteUse,
} from './record.store.js';
import { ConflictIndex } from './writes/upsert/conflict.index.js';
import { softFamilyOf } from '../metadata/soft/soft.family.js';
import { Relatives } from './soft/relatives.js';
import { RecordWriter } from './writes/record.writer.js';
import { WriteBlame } from './writes/write.blame.js';
import { StoredReader } from './stored.reader.js';
import { Session } from '../visibility/session.js';
import { unsaidMember } from '../sql/groups/group.calculation.js';
import { FilledValues } from './writes/filled.values.js';
import type { BulkWrites } from './writes/bulk/bulk.writes.js';
import { StatementBulkWrites } from './writes/bulk/statement.bulk.writes.js';
import type { StatementCache } from '../sql/statement.cache.js';
import { StatementWrites } from './writes/statement.writes.js';
import type { WriteInput, WriteRequest, Writes } from './writes/writes.js';

/** The records of a model in the SQL database of a MikroORM. */
export class SqlStore implements RecordStore {
  readonly knowsSql = true;
  readonly relatives: Relatives | undefined;
  readonly writing: RecordWriting;
  readonly bulkWriting: BulkWriting;
  readonly #questioner: RecordQuestioner;
  readonly #blame: WriteBlame;
  #madeKeys: RecordReading | undefined;

  /** @param storeOf where the records of another model are */
  constructor(
    private readonly database: Database,
    private readonly model: Model,
    private readonly storeOf: (model: Model) => RecordStore,
    private readonly pool: NativePool | undefined,
  ) {
    const writer = new RecordWriter(database, model);
    this.writing = writer;
    this.bulkWriting = writer;
    const family = softFamilyOf(model.meta, database.orm.getMetadata());
    this.relatives = family && new Relatives(database, family);
    this.#questioner = new RecordQuestioner(database, model);
    this.#blame = new WriteBlame(database, model);
  }

  async areWithin(session: Session, ids: readonly RecordKey[]): Promise<boolean> {
    const { meta } = this.model;
    const restriction = (await session.restrictionsOf(new Set([meta]))).get(meta);
    if (restriction?.binds !== true || ids.length === 0) return true;
    return (await this.#keys.readBackAll(session, ids)).length === ids.length;
  }

  /** Reads the keys of records alone. Made when somebody asks: most never do. */
  get #keys(): RecordReading {
    const { idPath } = this.model;
    return (this.#madeKeys ??= this.reading([{ kind: 'column', name: idPath.text, path: idPath }]));
  }

  statementWrites<R extends WriteRequest, I extends WriteInput>(
    use: WriteUse,
    unit: Writes<R, I>,
  ): Writes<R, I> | string {
    const { database, model } = this;
    return this.#reasonAgainstWrites(use) ?? new StatementWrites(database, model, use, unit);
  }

  bulkStatementWrites<R extends WriteRequest, I extends WriteInput>(
    use: WriteUse,
    unit: BulkWrites<R, I>,
  ): BulkWrites<R, I> | string {
    const { database, model } = this;
    const reason =
      this.#reasonAgainstWrites(use) ??
      (database.dialect.returning === 'full'
        ? undefined
        : 'the database returns no lists of what is written');
    return reason ?? new StatementBulkWrites(database, model, use, unit);
  }

  #reasonAgainstWrites(use: WriteUse): string | undefined {
    const { database, model } = this;
    const reason = this.reasonAgainstReads(use.selection);
    if (reason !== undefined) return reason;
    const backed = use.columns.find((column) => {
      const parent = model.parentOf(column);
      return parent !== undefined && !this.storeOf(parent).knowsSql;
    });
    if (backed !== undefined) return `parents of '${backed.name}' are in a backend of your own`;
    return reasonAgainstWrites(database, model, use);
  }

  unfilledBy(columns: readonly Column[]): readonly string[] {
    const { meta, columns: known } = this.model;
    // Whoever listens may set anything.
    if (this.database.listeners.hear(meta)) return [];
    const given = new Set(columns.map(({ property }) => property));
    const named = new Map([...known.values()].map(({ property, name }) => [property, name]));
    // A relation is written by its key.
    return FilledValues.unfilled(meta, given).map((property) => named.get(property) ?? property.name);
  }

  conflictsOf(columns: readonly Column[]): RecordConflicts {
    return new ConflictIndex(this.database, this.model, columns);
  }

  reasonAgainstReads(selection: Selection): string | undefined {
    const columns = columnsOf(selection);
    const converted = columns.find(({ column }) => column.conversion !== undefined);
    if (this.pool === undefined) return this.database.reasonAgainstPool ?? 'the option `statements` says so';
    return converted === undefined ? undefined : `'${converted.text}' has a MikroORM type of its own`;
  }

  reading(selection: Selection, statements?: StatementCache): RecordReading {
    return new RecordReader(this.database, this.model, selection, statements);
  }

  readingReferred(selection: Selection): Pick<RecordReading, 'find'> {
    return new RecordReader(this.database, this.model, selection, undefined, true);
  }

  grouping(parts: GroupParts): GroupReading | UnsaidPart {
    const { database, model } = this;
    return unsaidMember(database.dialect, parts) ?? new GroupReader(database, model);
  }

  readingStored(selection: Selection): RecordReading {
    return new StoredReader(this.database, this.model, selection);
  }

  given(selection: Selection): GivenRecords {
    return new EntityRows(this.database, this.model, selection);
  }

  questions(session: Session, column: Column, ownId: RecordKey | undefined): RecordQuestions {
    const parent = this.model.parentOf(column);
    const allExist = async (keys: readonly unknown[]): Promise<boolean> =>
      parent === undefined || this.storeOf(parent).allExist(session, keys);
    return {
      isTaken: (value) => this.#questioner.isTaken(session, column, value, ownId),
      parentExists: (key) => allExist([key]),
      allExist,
    };
  }

  gatheredQuestions(session: Session, column: Column): GatheredQuestions {
    const parent = this.model.parentOf(column);
    return new GatheredQuestions(column, {
      taken: (asked) => this.#questioner.taken(session, column, asked),
      existing: (keys) =>
        parent === undefined ? Promise.resolve(() => true) : this.storeOf(parent).existing(session, keys),
    });
  }

  existing(session: Session, keys: readonly unknown[]): Promise<(key: unknown) => boolean> {
    return this.#questioner.existing(session, keys);
  }

  allExist(session: Session, keys: readonly unknown[]): Promise<boolean> {
    return this.#questioner.allExist(session, keys);
  }

  transaction<T>(session: Session, work: () => Promise<T>): Promise<T> {
    return session.transaction(work);
  }

  refusalOf(error: unknown): WriteRefusal | undefined {
    return this.#blame.refusalOf(error);
  }
}
