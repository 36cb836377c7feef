import type { ForgivingSession, Session } from './session.js';

/** The options with which a transaction begins. */
export interface TransactionOptions {
  /** True to have the database itself refuse writes in it. Default false. */
  readonly readOnly?: boolean;
}

/** The database that is to get a schema, and the empty one beside it that shows what the schema will be. */
export interface TargetDatabase {
  /** Runs work in a transaction on a connection of its own: committed when it succeeds, rolled back when it throws. */
  transaction<T>(work: (session: ForgivingSession) => Promise<T>, options?: TransactionOptions): Promise<T>;

  /**
   * Runs work on an empty database of the same major version, which is gone afterwards, whatever happens. Its
   * `search_path` is the one of the target, so that names without a schema mean the same. A statement may take a
   * minute there, where the database can end one.
   *
   * @throws MigrationFailure when there can be no such database
   */
  shadow<T>(work: (session: ForgivingSession) => Promise<T>): Promise<T>;

  /** Stops the statement that a backend of the server works on. Not there where none can be stopped. */
  stop?(processID: number): Promise<void>;
}

/** The version of the server, as it tells it. */
export async function serverVersion(session: Session): Promise<string> {
  const [row] = await session.query('select version()');
  return String(row?.['version']);
}
