import { atMost } from '../../limits/bounded.wait.js';
import type { Database } from '../../database/database.js';
import { Session } from '../../visibility/session.js';
import { StatementWriter } from '../../sql/statement.js';

/** The time that a start waits for the answer, in milliseconds. */
const patience = 2000;

/** A check if the rows of a PostgreSQL may be on other servers, as with the extension Citus. */
export class DistributedDatabase {
  #isCitus: boolean | undefined;

  constructor(private readonly database: Database) {}

  /** Asked once, of PostgreSQL alone. @throws whatever keeps the database from telling */
  async isCitus(): Promise<boolean> {
    const { dialect, hasOneSession } = this.database;
    if (!dialect.hasCatalogue || hasOneSession) return false;
    this.#isCitus ??= await this.#ask();
    return this.#isCitus;
  }

  /** True if the database says so in time. One that cannot tell now is asked again by the next who wants to know. */
  async mayTell(): Promise<boolean> {
    try {
      return await atMost(patience, this.isCitus(), () => false);
    } catch {
      return false;
    }
  }

  async #ask(): Promise<boolean> {
    const question = new StatementWriter(this.database.dialect)
      .write("select 1 from pg_catalog.pg_extension where extname = 'citus'")
      .finish();
    return (await new Session(this.database).run(question, {})).length > 0;
  }
}
