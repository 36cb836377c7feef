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
}

/** The way of the relay to its database. */
export interface RelayDatabase extends RelaySql {
  /** True if no other process can have it: there is nothing to lock. */
  readonly isOwn: boolean;
  session(): Promise<RelaySession>;
  close(): Promise<void>;
}
