/** A row of an answer, by column name. */
export type Row = Readonly<Record<string, unknown>>;

/** One connection, as long as it is ours. */
export interface Session {
  /** True if the session is one transaction. Whoever gave the session ends it. */
  readonly isTransaction: boolean;
  /** Sends one statement; more than one in a text is refused by the database itself. */
  query(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
}

/** A session on which single statements may fail, and what they did is undone. */
export interface ForgivingSession extends Session {
  /** Runs work that may throw; the session is as before then, and can go on. */
  attempt<T>(work: () => Promise<T>): Promise<T>;
}

/** Has the database refuse a question about rows that policies hide, instead of answering a part of it. */
export const allRows = 'set local row_security = off';

/** {@link ForgivingSession.attempt} within a transaction. */
export async function withinSavepoint<T>(session: Session, work: () => Promise<T>): Promise<T> {
  await session.query('savepoint attempt');
  try {
    const result = await work();
    await session.query('release savepoint attempt');
    return result;
  } catch (error) {
    await session.query('rollback to savepoint attempt');
    throw error;
  }
}
