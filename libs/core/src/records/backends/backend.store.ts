import type { UnsaidPart } from '../groups/unsaid.part.js';
import type { Column } from '../../model/column.js';
import type { ColumnPath, Model } from '../../model/model.js';
import type { RecordQuestions } from '../../model/validator.js';
import type { Selection } from '../../query/query.plan.js';
import { ConfigurationError } from '../../wire/configuration.error.js';
import type { NameTable } from '../../wire/name.table.js';
import type { Backend, BackendRecord } from './backend.js';
import { BackendReader, type BackendRow } from './backend.reader.js';
import { GatheredQuestions, type AskedValue } from '../gathered.questions.js';
import type {
  Changes,
  ColumnValues,
  GivenRecords,
  RecordKey,
  RecordReading,
  RecordStore,
  RecordWriting,
  StagedWrite,
  StoredRecord,
} from '../record.store.js';
import { FollowingColumns } from '../writes/following.columns.js';
import { Session } from '../../visibility/session.js';
import { fitsMember } from '../../model/members/json.member.js';
import { plainValue } from '../plain.value.js';
import { RowLayout } from '../../sql/row.layout.js';

/** The records of a model in a backend of the user's own. */
export class BackendStore implements RecordStore {
  readonly knowsSql = false;
  readonly writing: RecordWriting;
  readonly bulkWriting = undefined;

  /** @param storeOf where the records of another model are */
  constructor(
    private readonly owner: string,
    private readonly backend: Backend,
    private readonly names: NameTable,
    private readonly model: Model,
    private readonly storeOf: (model: Model) => RecordStore,
  ) {
    this.writing = new BackendWriter(backend, model);
  }

  /** None: a backend sets what it likes. */
  unfilledBy(): readonly string[] {
    return [];
  }

  reasonAgainstReads(): string {
    return this.statementWrites();
  }

  statementWrites(): string {
    return 'its records are in a backend of your own';
  }

  bulkStatementWrites(): string {
    return this.statementWrites();
  }

  reading(selection: Selection): RecordReading {
    const layout = this.#layoutOf(selection);
    return new BackendReader(this.backend, this.model, this.names, layout, rowsOf(layout));
  }

  readingReferred(selection: Selection): RecordReading {
    return this.reading(selection);
  }

  grouping(): UnsaidPart {
    return { reason: this.statementWrites() };
  }

  readingStored(selection: Selection): RecordReading {
    const layout = this.#layoutOf(selection);
    const rowOf = rowsOf(layout);
    return new BackendReader(this.backend, this.model, this.names, layout, (record) => [
      ...rowOf(record),
      record,
    ]);
  }

  /** Tells how to read given records. None is known as a record: one of a backend is like any other object. */
  given(selection: Selection): GivenRecords {
    const layout = this.#layoutOf(selection);
    const rowOf = rowsOf(layout);
    return {
      layout,
      isRecord: (_value): _value is BackendRecord => false,
      rows: (_session, records) => Promise.resolve(records.map((record) => rowOf(record as BackendRecord))),
    };
  }

  questions(session: Session, column: Column, ownId: RecordKey | undefined): RecordQuestions {
    const parent = this.model.parentOf(column);
    const allExist = async (keys: readonly unknown[]): Promise<boolean> =>
      parent === undefined || this.storeOf(parent).allExist(session, keys);
    return {
      isTaken: async (value) => {
        const path = { text: column.name, relations: [], column };
        const record = await this.backend.find([condition(path, value)]);
        return record !== undefined && String(this.writing.idOf(record)) !== String(ownId);
      },
      parentExists: (key) => allExist([key]),
      allExist,
    };
  }

  conflictsOf(): undefined {
    return undefined;
  }

  gatheredQuestions(session: Session, column: Column): GatheredQuestions {
    const taken = async (asked: readonly AskedValue[]): Promise<readonly boolean[]> => {
      const answers: boolean[] = [];
      for (const { value, ownId } of asked)
        answers.push(await this.questions(session, column, ownId).isTaken(value));
      return answers;
    };
    const parent = this.model.parentOf(column);
    return new GatheredQuestions(column, {
      taken,
      existing: (keys) =>
        parent === undefined ? Promise.resolve(() => true) : this.storeOf(parent).existing(session, keys),
    });
  }

  async existing(session: Session, keys: readonly unknown[]): Promise<(key: unknown) => boolean> {
    const there = new Set<string>();
    for (const key of keys) if (await this.allExist(session, [key])) there.add(String(key));
    return (key) => there.has(String(key));
  }

  async allExist(_session: Session, keys: readonly unknown[]): Promise<boolean> {
    for (const key of keys)
      if ((await this.backend.find([condition(this.model.idPath, key)])) === undefined) return false;
    return true;
  }

  /** Runs the work. What a backend did stays done: nobody can undo a call to another service. */
  transaction<T>(session: Session, work: () => Promise<T>): Promise<T> {
    return session.unit(work);
  }

  refusalOf(): undefined {
    return undefined;
  }

  #layoutOf(selection: Selection): RowLayout {
    const layout = new RowLayout(selection);
    const [list] = layout.lists;
    if (list === undefined) return layout;
    throw new ConfigurationError(
      this.owner,
      'readableColumnNames',
      `'${list.name}' is a list of related records, which a backend of your own does not read`,
    );
  }
}

/** A record goes the way of a row, with its values at the paths of the columns. */
function rowsOf({ columns }: RowLayout): BackendRow {
  const paths = columns.map(({ text }) => text.split('.'));
  return (record) =>
    columns.map(({ text, column }, index) => {
      const value = valueAt(record, paths[index] ?? []);
      const { member } = column;
      return member === undefined || fitsMember(member, value) ? plainValue(text, column, value) : null;
    });
}

class BackendWriter implements RecordWriting {
  readonly #following: FollowingColumns;

  constructor(
    private readonly backend: Backend,
    private readonly model: Model,
  ) {
    this.#following = new FollowingColumns(model.columns.values());
  }

  async create(_session: Session, values: ColumnValues): Promise<RecordKey> {
    return this.idOf(await this.backend.create(named(values)));
  }

  async locate(_session: Session, lookup: Column, value: unknown): Promise<StoredRecord | undefined> {
    return this.backend.find([condition({ text: lookup.name, relations: [], column: lookup }, value)]);
  }

  locateBy(_session: Session, values: ColumnValues): Promise<StoredRecord | undefined> {
    const asked = [...values].map(([column, value]) =>
      condition({ text: column.name, relations: [], column }, value),
    );
    return this.backend.find(asked);
  }

  async update(session: Session, record: StoredRecord, values: ColumnValues): Promise<void> {
    const follows = this.#following.among(values).size > 0;
    if (follows) await (await this.stage(session, values, record as BackendRecord)).write();
    else if (values.size > 0) await this.backend.update(this.idOf(record), named(values));
  }

  /** The backend's own record is left alone until the write: functions of the user's get a copy. */
  stage(_session: Session, values: ColumnValues, stored?: BackendRecord): Promise<StagedWrite> {
    const record = { ...stored, ...named(stored === undefined ? values : this.#following.without(values)) };
    let written: Changes | undefined;
    return Promise.resolve({
      record,
      changes: () => written ?? differing(record, stored ?? {}),
      hold: (work) => work(),
      write: async () => {
        const isChanged = Object.keys(differing(record, stored ?? {})).length > 0;
        if (isChanged) Object.assign(record, named(this.#following.among(values)));
        const changes = differing(record, stored ?? {});
        if (stored === undefined) Object.assign(record, await this.backend.create(changes));
        else if (isChanged) await this.backend.update(this.idOf(stored), changes);
        written = stored === undefined ? { ...record } : changes;
        return this.idOf(record);
      },
    });
  }

  /** Does nothing: a backend writes at once. */
  settle(): Promise<void> {
    return Promise.resolve();
  }

  async delete(_session: Session, record: StoredRecord): Promise<void> {
    await this.backend.delete(this.idOf(record));
  }

  idOf(record: StoredRecord): RecordKey {
    return valueAt(record as BackendRecord, [this.model.idColumn.name]) as RecordKey;
  }
}

function condition(
  { text }: ColumnPath,
  value: unknown,
): { columnName: string; operator: '='; value: unknown } {
  return { columnName: text, operator: '=', value };
}

function differing(record: BackendRecord, stored: BackendRecord): Changes {
  const isSame = (name: string): boolean =>
    Object.hasOwn(stored, name) && JSON.stringify(record[name]) === JSON.stringify(stored[name]);
  return Object.fromEntries(Object.entries(record).filter(([name]) => !isSame(name)));
}

function named(values: ColumnValues): BackendRecord {
  return Object.fromEntries([...values].map(([{ name }, value]) => [name, value]));
}

/** Own properties only: a record of a remote service is input, too. */
function valueAt(record: BackendRecord, path: readonly string[]): unknown {
  let value: unknown = record;
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return null;
    value = Reflect.get(value, name);
  }
  return value;
}
