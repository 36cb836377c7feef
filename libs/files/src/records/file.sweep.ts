import { LockMode } from '@mikro-orm/core';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { triedAgain } from '@nest-endpoints/core/internal';
import type { AttachedFiles, FileHolder } from './attached.files.js';
import { FileRecord } from './file.record.js';

/** The most files that one transaction deletes. */
const batch = 1000;

/** The time that somebody has to attach a file, in milliseconds: a day. */
const pendingTime = 24 * 60 * 60 * 1000;

/** The time that a file stays which no record has any more, in milliseconds: urls of it, and uploads of it, have ended then. */
const detachedTime = 60 * 60 * 1000;

/** Deletes files that nobody attached, and those of records that are gone. Any number of processes may do so at the same time. */
export class FileSweep {
  constructor(private readonly files: AttachedFiles) {}

  /**
   * Deletes what is due.
   *
   * @param isOver tells between batches if nobody wants it any more
   * @returns the number of files that were deleted
   */
  async run(isOver: () => boolean = () => false, now = Date.now()): Promise<number> {
    let all = 0;
    for (let last = batch; last === batch && !isOver(); all += last) last = await this.#batch(now);
    for (const storage of this.files.storages) await storage.sweep();
    return all;
  }

  #batch(now: number): Promise<number> {
    const once = (): Promise<number> => this.#deleted(now);
    // InnoDB may take two sweeps for a deadlock, though neither waits for rows of the other.
    return once().catch((error: unknown) => triedAgain(error, once, { mayRepeat: true }));
  }

  /** The bytes go first: where the process ends in between, the rows are still there, and their bytes are deleted again. */
  #deleted(now: number): Promise<number> {
    const em = this.files.database.fork();
    return em.transactional(async (own) => {
      const rows = await this.#due(own, now);
      const keys = rows.map(({ key }) => key);
      const byStorage = Map.groupBy(rows, (row) => this.files.columnOf(row)?.options.storage);
      for (const [storage, found] of byStorage) await storage?.delete(found.map(({ key }) => key));
      if (keys.length > 0)
        await own
          .createQueryBuilder(FileRecord)
          .delete({ key: { $in: keys } })
          .execute();
      return keys.length;
    });
  }

  /** Rows that others have locked are left to them. Those of columns that are gone stay: nobody knows where their bytes are. */
  async #due(em: SqlEntityManager, now: number): Promise<readonly (FileHolder & { readonly key: string })[]> {
    const holders = this.files.holders.map(({ model, column }) => ({ model, column }));
    const query = em
      .createQueryBuilder(FileRecord, 'f', 'write')
      .select(['key', 'model', 'column'])
      .where({
        $and: [
          { $or: holders },
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
