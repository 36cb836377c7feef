import { LockMode } from '@mikro-orm/core';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { triedAgain } from '@nest-endpoints/core/internal';
import type { FileStorage } from '../storages/file.storage.js';
import type { AttachedFiles, FileHolder } from './attached.files.js';
import { FileRecord } from './file.record.js';
import { StorageRefusals } from './storage.refusals.js';

/** The most files that one transaction deletes. */
const batch = 50;

/** The time that somebody has to attach a file, in milliseconds: a day. */
const pendingTime = 24 * 60 * 60 * 1000;

/** The time that a file stays which no record has any more, in milliseconds: urls of it, and uploads of it, have ended then. */
const detachedTime = 60 * 60 * 1000;

/** The number of files of a batch, and of those that were deleted. */
interface Batch {
  readonly found: number;
  readonly deleted: number;
}

/** Deletes files that nobody attached, and those of records that are gone. Any number of processes may do so at the same time. */
export class FileSweep {
  constructor(private readonly files: AttachedFiles) {}

  /**
   * Deletes what is due. Files that a storage refuses to delete, and all of a storage that refuses everything, are left out of
   * the run: they are tried again with the next one.
   *
   * @param isOver tells between batches if nobody wants it any more
   * @returns the number of files that were deleted
   * @throws what a storage that refused has thrown first, when everything else is deleted
   */
  async run(isOver: () => boolean = () => false, now = Date.now()): Promise<number> {
    const refusals = new StorageRefusals();
    let all = 0;
    for (let last = batch; last === batch && !isOver();) {
      const { found, deleted } = await this.#batch(refusals, now);
      all += deleted;
      last = found;
    }
    for (const storage of this.files.storages) await refusals.sweep(storage);
    refusals.throwFirst();
    return all;
  }

  #batch(refusals: StorageRefusals, now: number): Promise<Batch> {
    const once = (): Promise<Batch> => this.#deleted(refusals, now);
    // InnoDB may take two sweeps for a deadlock, though neither waits for rows of the other.
    return once().catch((error: unknown) => triedAgain(error, once, { mayRepeat: true }));
  }

  /** The bytes go first: where the process ends in between, the rows are still there, and their bytes are deleted again. */
  #deleted(refusals: StorageRefusals, now: number): Promise<Batch> {
    const em = this.files.database.fork();
    return em.transactional(async (own) => {
      const rows = await this.#due(own, refusals, now);
      const keys: string[] = [];
      for (const [storage, found] of Map.groupBy(rows, (row) => this.#storageOf(row))) {
        const some = found.map(({ key }) => key);
        keys.push(...(storage === undefined ? some : await refusals.delete(storage, some)));
      }
      if (keys.length > 0)
        await own
          .createQueryBuilder(FileRecord)
          .delete({ key: { $in: keys } })
          .execute();
      return { found: rows.length, deleted: keys.length };
    });
  }

  #storageOf(holder: FileHolder): FileStorage | undefined {
    return this.files.columnOf(holder)?.options.storage;
  }

  /** Rows that others have locked are left to them. Those of columns that are gone stay: nobody knows where their bytes are. */
  async #due(
    em: SqlEntityManager,
    refusals: StorageRefusals,
    now: number,
  ): Promise<readonly (FileHolder & { readonly key: string })[]> {
    const holders = this.files.holders
      .filter(({ type }) => !refusals.isLeftOut(type.options.storage))
      .map(({ model, column }) => ({ model, column }));
    if (holders.length === 0) return [];
    const query = em
      .createQueryBuilder(FileRecord, 'f', 'write')
      .select(['key', 'model', 'column'])
      .where({
        $and: [
          { $or: holders },
          ...(refusals.keys.length === 0 ? [] : [{ key: { $nin: [...refusals.keys] } }]),
          {
            $or: [
              { state: 'pending', changedAt: { $lt: new Date(now - pendingTime) } },
              { state: 'detached', changedAt: { $lt: new Date(now - detachedTime) } },
            ],
          },
        ],
      })
      .orderBy({ changedAt: 'asc' })
      .limit(batch);
    const { skipsLocked } = this.files.database.dialect;
    const locked = skipsLocked ? query.setLockMode(LockMode.PESSIMISTIC_PARTIAL_WRITE) : query;
    return locked.execute('all');
  }
}
