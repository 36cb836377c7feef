import { quoteIdentifier } from '../database/quoting.js';
import type { ForgivingSession } from '../database/session.js';
import type { TargetDatabase, TransactionOptions } from '../database/target.database.js';

/** Says that names without a schema mean one, and then what they meant before, until the transaction or session ends. */
export async function lookFirstIn(
  session: ForgivingSession,
  schema: string,
  searchPath: string,
): Promise<void> {
  const path = searchPath === '' ? quoteIdentifier(schema) : `${quoteIdentifier(schema)}, ${searchPath}`;
  await session.query(`select set_config('search_path', $1, $2)`, [path, session.isTransaction]);
}

/** Gives what names without a schema mean. */
export async function searchPathOf(session: ForgivingSession): Promise<string> {
  const [row] = await session.query(`select current_setting('search_path') as path`);
  return String(row?.['path']);
}

/** A database in which names without a schema mean that of a tenant. */
export class SchemaDatabase implements TargetDatabase {
  /** @param isNew whether its transactions begin by making the schema */
  constructor(
    private readonly database: TargetDatabase,
    private readonly schema: string,
    private readonly isNew: boolean,
  ) {}

  transaction<T>(work: (session: ForgivingSession) => Promise<T>, options?: TransactionOptions): Promise<T> {
    return this.database.transaction(async (session) => {
      if (this.isNew && options?.readOnly !== true)
        await session.query(`create schema ${quoteIdentifier(this.schema)}`);
      await lookFirstIn(session, this.schema, await searchPathOf(session));
      return work(session);
    }, options);
  }

  shadow<T>(work: (session: ForgivingSession) => Promise<T>): Promise<T> {
    return this.database.shadow(work);
  }
}
