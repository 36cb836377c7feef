import type { SqlEntityManager } from '@mikro-orm/sql';
import { rawQuery } from '@nest-endpoints/core/internal';

/** A row of an answer: its values by their names. */
export type SqlRow = Readonly<Record<string, unknown>>;

/** Sends statements with parameters `$1`, `$2`, …. */
export interface RelaySql {
  rows(text: string, values?: readonly unknown[]): Promise<readonly SqlRow[]>;
}

/** A session of its own with the database: locks and transactions are its. */
export interface RelaySession extends RelaySql {
  /** True once its connection is gone. */
  readonly isLost: boolean;
  /** Runs work in a transaction, which is undone where the work fails. */
  transaction<T>(work: (sql: RelaySql) => Promise<T>): Promise<T>;
  /** Ends the session, and gives up its locks. */
  end(): void;
  /** Leaves the connection to others: nothing of the session is left in it. */
  giveBack(): void;
}

/** The way of the relay to its database. */
export interface RelayDatabase extends RelaySql {
  /** True if no other process can have it: there is nothing to lock. */
  readonly isOwn: boolean;
  session(): Promise<RelaySession>;
  close(): Promise<void>;
}

/** Tests if a transaction is of another server, whose data were restored in this one: none is as high here yet. */
export const isAhead = (transaction: string): string =>
  `${transaction}::xid8 >= pg_snapshot_xmax(pg_current_snapshot())`;

/** The sentence about a position that is. */
export const ahead =
  'their position is of another database server, whose data were restored here; hand them on from a moment with `events replay --from`';

/** The way by an entity manager, in its transaction where it has one. */
export const sqlOf = (em: SqlEntityManager): RelaySql => ({
  rows: async (text, values = []) =>
    (await em.getKysely().executeQuery(rawQuery(text, values))).rows as readonly SqlRow[],
});
