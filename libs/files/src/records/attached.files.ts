import type { SqlEntityManager } from '@mikro-orm/sql';
import { ConfigurationError, EndpointContext, ServiceUnavailable } from '@nest-endpoints/core';
import { atMost, RefusedValue } from '@nest-endpoints/core/internal';
import type { KindContext } from '@nest-endpoints/core/kinds';
import { noSuchFile } from '../column/attachable.file.validator.js';
import type { FileColumn } from '../column/file.column.js';
import { isOfType } from '../column/file.types.js';
import {
  StorageUnavailable,
  type FileStorage,
  type FoundBytes,
  type StoredFile,
} from '../storages/file.storage.js';
import { ownerOf } from './file.owner.js';
import { FileRecord, type FileState } from './file.record.js';

type Database = KindContext['database'];

/** The column of a record that has a file. */
export interface FileHolder {
  /** The class name of the entity, of several in one table that of their root. */
  readonly model: string;
  /** The internal name of the column. */
  readonly column: string;
}

/** A column that has files, and what is said of it. */
interface KnownHolder extends FileHolder {
  readonly type: FileColumn;
}

/** The record that has a file. */
interface FileOwner extends Pick<FileHolder, 'model'> {
  /** The key of the record as text. */
  readonly recordId: string;
}

/** The facts about a record that wants a file. */
interface Attaching {
  /** The key of the record; undefined for a new one whose key the database makes. */
  readonly recordId: string | undefined;
  /** The key that stands in its stored row, of the file that it has already. A new record has none. */
  readonly own: string | undefined;
}

/** A row of `FileRecord`. */
interface FileRow extends StoredFile, FileHolder {
  readonly state: FileState;
  readonly owner: string | null;
  readonly recordId: string | null;
  readonly seenAt: unknown;
}

/** The time that a storage has to say what it holds, in milliseconds. */
const patience = 10_000;

/** The files of a database: which records have them. One for each database of the process. */
export class AttachedFiles {
  readonly #columns = new Map<string, KnownHolder>();

  constructor(readonly database: Database) {}

  /**
   * Makes a column known.
   *
   * @throws ConfigurationError for a second one of the same name in one table
   */
  add(holder: FileHolder, column: FileColumn): void {
    const name = nameOf(holder);
    const known = this.columnOf(holder);
    if (known === column) return;
    if (known !== undefined)
      throw new ConfigurationError(
        `defineColumns(${holder.model})`,
        holder.column,
        'entities of one table that have this column must share one FileColumn',
      );
    this.#columns.set(name, { ...holder, type: column });
    column.place.databases.add({
      isOfThisRequest: () => EndpointContext.sessionOn(this.database) !== undefined,
      isAttachable: (key) => this.#isAttachable(column, key),
    });
  }

  /** Undefined for a column that the application does not have any more. */
  columnOf(holder: FileHolder): FileColumn | undefined {
    return this.#columns.get(nameOf(holder))?.type;
  }

  /** The columns that have files. */
  get holders(): readonly KnownHolder[] {
    return [...this.#columns.values()];
  }

  /** Their storages, each once. */
  get storages(): ReadonlySet<FileStorage> {
    return new Set([...this.#columns.values()].map(({ type }) => type.options.storage));
  }

  /**
   * Gives a file to a record, in the transaction of its write. Of those who want it at once, one gets it.
   *
   * @param entity the class of the record, of several in one table that of their root
   * @throws RefusedValue where there is no such file for this record
   */
  async attach(
    em: SqlEntityManager,
    key: string,
    entity: object,
    holder: FileHolder,
    { recordId, own }: Attaching,
  ): Promise<StoredFile> {
    const row = await rowOf(em, key);
    const column = this.columnOf(holder);
    if (row === undefined || column === undefined || nameOf(row) !== nameOf(holder))
      throw refused(entity, holder);
    const file = fileOf(row);
    // A record that has the number of another one, which is gone or has another number now, has none of its files.
    if (row.state === 'attached' && key === own && row.recordId === recordId) return file;
    const isOpen = row.state === 'pending' && isOfSender(row) && (await this.#isSeen(em, row, column));
    if (!isOpen) throw refused(entity, holder);
    const attached = { state: 'attached', recordId: recordId ?? null, changedAt: new Date() } as const;
    // Who comes second waits for the first, and finds that it is no longer pending.
    const { affectedRows } = await em
      .createQueryBuilder(FileRecord)
      .update(attached)
      .where({ key, state: 'pending' })
      .execute();
    if (affectedRows !== 1) throw refused(entity, holder);
    return file;
  }

  /** Tells which record has a file that was attached before the record had a key. */
  async name(em: SqlEntityManager, key: string, recordId: string): Promise<void> {
    await em.createQueryBuilder(FileRecord).update({ recordId }).where({ key, recordId: null }).execute();
  }

  /** Tells that a record which has a file has another key now. */
  async move(em: SqlEntityManager, key: string, from: FileOwner, recordId: string): Promise<void> {
    await em
      .createQueryBuilder(FileRecord)
      .update({ recordId })
      .where({ key, ...from, state: 'attached' })
      .execute();
  }

  /** Takes a file from a record. */
  async detach(em: SqlEntityManager, key: string, from: FileOwner): Promise<void> {
    await em
      .createQueryBuilder(FileRecord)
      .update({ state: 'detached', changedAt: new Date() })
      .where({ key, ...from, state: 'attached' })
      .execute();
  }

  /**
   * True if a key that was sent may be of a file for a record: its sender has uploaded it. One that a record has already may be
   * that of the record itself, which {@link attach} knows.
   */
  async #isAttachable(column: FileColumn, key: string): Promise<boolean> {
    const em = EndpointContext.sessionOn(this.database)?.em;
    const row = em && (await rowOf(em, key));
    if (em === undefined || row === undefined || this.columnOf(row) !== column) return false;
    if (row.state === 'attached') return true;
    return row.state === 'pending' && isOfSender(row) && this.#isSeen(em, row, column);
  }

  /** True if the bytes are there, as they were announced. The storage is asked once. */
  async #isSeen(em: SqlEntityManager, row: FileRow, { options }: FileColumn): Promise<boolean> {
    if (row.seenAt !== null) return true;
    const found = await foundIn(options.storage, row.key);
    if (found?.bytes !== row.bytes || !isOfType(row.type, found.head)) return false;
    await em.createQueryBuilder(FileRecord).update({ seenAt: new Date() }).where({ key: row.key }).execute();
    return true;
  }
}

/** @throws ServiceUnavailable where the storage does not say */
async function foundIn(storage: FileStorage, key: string): Promise<FoundBytes | undefined> {
  try {
    return await atMost(patience, storage.find(key), () => {
      throw new StorageUnavailable('The storage of files does not answer');
    });
  } catch (error) {
    throw error instanceof StorageUnavailable ? new ServiceUnavailable({ cause: error }) : error;
  }
}

async function rowOf(em: SqlEntityManager, key: string): Promise<FileRow | undefined> {
  // What a replica has not heard of yet is there all the same.
  const query = em.createQueryBuilder(FileRecord, 'f', 'write').select('*').where({ key });
  const row: (Omit<FileRow, 'bytes'> & { readonly bytes: unknown }) | null = await query.execute('get');
  return row === null ? undefined : { ...row, bytes: Number(row.bytes) };
}

function fileOf({ key, name, type, bytes, sha256 }: FileRow): StoredFile {
  return { key, name, type, bytes, sha256 };
}

function nameOf({ model, column }: FileHolder): string {
  return `${model}.${column}`;
}

/** True if whoever sends the request has announced the file. Code outside of requests is the application's own. */
function isOfSender({ owner }: FileRow): boolean {
  const { current } = EndpointContext;
  return current === undefined || ownerOf(current.identity) === owner;
}

function refused(entity: object, { column }: FileHolder): Error {
  return new RefusedValue(entity, column, noSuchFile);
}
