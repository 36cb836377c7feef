import { LockMode, type EntityMetadata } from '@mikro-orm/core';
import type { Database } from '../../database/database.js';
import { databaseReason, type DatabaseReason } from '../../database/errors/database.error.js';
import { softEntityOf, type SoftEntity } from '../../model/soft/soft.entity.js';
import type { Session } from '../../visibility/session.js';

/** The most records that one statement purges. */
const batch = 1000;

/** The words of a database where records still refer to others. */
const held: ReadonlySet<DatabaseReason | undefined> = new Set(['foreignKey', 'stillInUse']);

type Key = string | number;

/** Records of a trash that were looked at. */
export interface Emptied {
  readonly purged: number;
  /** The number of those that stay, because other records refer to them. */
  readonly held: number;
}

/** The deleted records of an entity, which are purged some time after. */
export class TrashBin {
  readonly #key: string;

  private constructor(
    private readonly database: Database,
    readonly meta: EntityMetadata,
    private readonly soft: SoftEntity,
    /** The time after which a record is purged, in milliseconds. */
    readonly purgeAfter: number,
  ) {
    this.#key = meta.getPrimaryProp().name;
  }

  /** The trashes that empty themselves. */
  static of(database: Database): readonly TrashBin[] {
    return [...database.orm.getMetadata().getAll().values()].flatMap((meta) => {
      const soft = meta.compositePK || meta !== meta.root ? undefined : softEntityOf(meta);
      const time = soft?.options.purgeAfter;
      return soft === undefined || time === undefined ? [] : [new TrashBin(database, meta, soft, time)];
    });
  }

  /**
   * Purges what has been deleted for long enough. Any number of processes may do so at the same time, and beside Restores.
   * @param isOver tells between batches if nobody wants it any more
   */
  async empty(open: () => Session, isOver: () => boolean, now = Date.now()): Promise<Emptied> {
    const until = new Date(now - this.purgeAfter);
    let emptied: Emptied = { purged: 0, held: 0 };
    let last: Key | undefined;
    do {
      const found = await this.#found(open(), until, last);
      last = found.length < batch ? undefined : found.at(-1);
      emptied = sumOf(emptied, await this.#purge(open, until, found));
    } while (last !== undefined && !isOver());
    return emptied;
  }

  async #found({ em }: Session, until: Date, last: Key | undefined): Promise<readonly Key[]> {
    const beyond = last === undefined ? {} : { [this.#key]: { $gt: last } };
    const query = em
      .createQueryBuilder<object>(this.meta.class)
      .select([this.#key] as never)
      .where({ ...this.#deletedBefore(until), ...beyond } as never)
      .orderBy({ [this.#key]: 'asc' } as never)
      .limit(batch);
    const rows: Readonly<Record<string, unknown>>[] = await query.execute('all');
    return rows.map((row) => row[this.#key] as Key);
  }

  /** Halves of what a foreign key holds are tried by themselves, until each record that it holds is known. */
  async #purge(open: () => Session, until: Date, keys: readonly Key[]): Promise<Emptied> {
    if (keys.length === 0) return { purged: 0, held: 0 };
    try {
      return { purged: await this.#deleted(open(), until, keys), held: 0 };
    } catch (error) {
      if (!held.has(databaseReason(error))) throw error;
      if (keys.length === 1) return { purged: 0, held: 1 };
      const half = Math.ceil(keys.length / 2);
      const first = await this.#purge(open, until, keys.slice(0, half));
      return sumOf(first, await this.#purge(open, until, keys.slice(half)));
    }
  }

  /** Records that somebody has locked are left to them: one may be restored. */
  #deleted(session: Session, until: Date, keys: readonly Key[]): Promise<number> {
    return session.transaction(async () => {
      const { em } = session;
      const rows: Readonly<Record<string, unknown>>[] = await em
        .createQueryBuilder<object>(this.meta.class)
        .select([this.#key] as never)
        .where({ [this.#key]: { $in: keys }, ...this.#deletedBefore(until) } as never)
        .setLockMode(LockMode.PESSIMISTIC_PARTIAL_WRITE)
        .execute('all');
      const open = rows.map((row) => row[this.#key] as Key);
      if (open.length === 0) return 0;
      const where = { [this.#key]: { $in: open } };
      return this.database.recorded(em, this.meta, 'deleted', open, () =>
        em.nativeDelete<object>(this.meta.class, where, { filters: false }),
      );
    });
  }

  #deletedBefore(until: Date): object {
    return { [this.soft.property.name]: { $lt: until } };
  }
}

function sumOf(one: Emptied, other: Emptied): Emptied {
  return { purged: one.purged + other.purged, held: one.held + other.held };
}
