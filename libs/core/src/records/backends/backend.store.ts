import type { Column } from '../../model/column.js';
import type { ColumnPath, Model } from '../../model/model.js';
import type { RecordQuestions } from '../../model/validator.js';
import type { Selection } from '../../query/query.plan.js';
import { columnsOf, listsOf } from '../../query/selected.columns.js';
import { ConfigurationError } from '../../wire/configuration.error.js';
import { NameTable } from '../../wire/name.table.js';
import type { Backend, BackendRecord } from './backend.js';
import { BackendReader } from './backend.reader.js';
import type { Database } from '../database.js';
import type {
  Changes,
  ColumnValues,
  LoadedReading,
  LoadedRecord,
  RecordKey,
  RecordStore,
  RecordTexts,
  RecordWriting,
  StagedWrite,
  StoredRecord,
  TextReading,
} from '../record.store.js';
import { Session } from '../session.js';
import { plainValue } from '../plain.value.js';
import { rowWriter, type RelatedTexts, type Row } from '../row.writer.js';

const noLists: RelatedTexts = new Map();

/** The records of a model in a backend of the user's own. */
export class BackendStore implements RecordStore {
  readonly knowsSql = false;
  readonly writing: RecordWriting;

  /** @param storeOf where the records of another model are */
  constructor(
    private readonly owner: string,
    private readonly backend: Backend,
    private readonly database: Database,
    private readonly model: Model,
    private readonly storeOf: (model: Model) => RecordStore,
  ) {
    this.writing = new BackendWriter(backend, model);
  }

  reasonAgainstReads(): string {
    return this.direct();
  }

  direct(): string {
    return 'its records are in a backend of your own';
  }

  texts(selection: Selection, names: NameTable): TextReading {
    const one = this.#textOf(selection, names);
    const many = (texts: readonly string[]): string => `[${texts.join(',')}]`;
    return new BackendReader(this.backend, this.model, names, { one, many });
  }

  loaded(selection: Selection, names: NameTable): LoadedReading {
    const text = this.#textOf(selection, new NameTable(names.internal, names.internal));
    const one = (entity: BackendRecord): LoadedRecord => ({
      record: JSON.parse(text(entity)) as BackendRecord,
      entity,
    });
    return new BackendReader(this.backend, this.model, names, { one, many: (records) => records });
  }

  /** Nothing tells a record of a backend from any other object. */
  written(selection: Selection, names: NameTable): RecordTexts {
    const text = this.#textOf(selection, names);
    return {
      isRecord: (_value): _value is BackendRecord => false,
      texts: (_session, records) => Promise.resolve(records.map((record) => text(record as BackendRecord))),
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

  async allExist(_session: Session, keys: readonly unknown[]): Promise<boolean> {
    for (const key of keys)
      if ((await this.backend.find([condition(this.model.idPath, key)])) === undefined) return false;
    return true;
  }

  /** What a backend did stays done: nobody can undo a call to another service. */
  transaction<T>(session: Session, work: () => Promise<T>): Promise<T> {
    return session.unit(work);
  }

  refusalOf(): undefined {
    return undefined;
  }

  /** A record goes the way of a row, with its values at the paths of the columns. */
  #textOf(selection: Selection, names: NameTable): (record: BackendRecord) => string {
    const [list] = listsOf(selection);
    if (list !== undefined)
      throw new ConfigurationError(
        this.owner,
        'readableColumnNames',
        `'${list.name}' is a list of related records, which a backend of your own does not read`,
      );
    const write = rowWriter(selection, names, this.database.dialect.platform);
    const columns = columnsOf(selection);
    const paths = columns.map(({ text }) => text.split('.'));
    return (record) => {
      const row: Row = columns.map(({ text, column }, index) =>
        plainValue(text, column, valueAt(record, paths[index] ?? [])),
      );
      return write(row, noLists);
    };
  }
}

class BackendWriter implements RecordWriting {
  constructor(
    private readonly backend: Backend,
    private readonly model: Model,
  ) {}

  async create(_session: Session, values: ColumnValues): Promise<RecordKey> {
    return this.idOf(await this.backend.create(named(values)));
  }

  async locate(_session: Session, lookup: Column, value: unknown): Promise<StoredRecord | undefined> {
    return this.backend.find([condition({ text: lookup.name, relations: [], column: lookup }, value)]);
  }

  async update(_session: Session, record: StoredRecord, values: ColumnValues): Promise<void> {
    if (values.size > 0) await this.backend.update(this.idOf(record), named(values));
  }

  /** The backend's own record is left alone until the write: functions of the user's get a copy. */
  stage(_session: Session, values: ColumnValues, stored?: BackendRecord): Promise<StagedWrite> {
    const record = { ...stored, ...named(values) };
    let written: Changes | undefined;
    return Promise.resolve({
      record,
      changes: () => written ?? differing(record, stored ?? {}),
      hold: (work) => work(),
      write: async () => {
        const changes = differing(record, stored ?? {});
        if (stored === undefined) Object.assign(record, await this.backend.create(changes));
        else if (Object.keys(changes).length > 0) await this.backend.update(this.idOf(stored), changes);
        written = stored === undefined ? { ...record } : changes;
        return this.idOf(record);
      },
    });
  }

  /** Nothing is left: a backend writes at once. */
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
