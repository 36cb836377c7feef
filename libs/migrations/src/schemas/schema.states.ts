import type { Session } from '../database/session.js';
import type { TargetDatabase } from '../database/target.database.js';

/** The table in which it stands which target a schema has got last. */
const table = 'nest_endpoints.applied_schemas';

/** Remembers in the database which target was applied to the schema of each tenant last. */
export class SchemaStates {
  constructor(private readonly database: TargetDatabase) {}

  /** The digests of targets by schema. */
  kept(): Promise<ReadonlyMap<string, string>> {
    return this.database.transaction(
      async (session) => {
        const [there] = await session.query('select to_regclass($1) is not null as yes', [table]);
        if (there?.['yes'] !== true) return new Map<string, string>();
        const rows = await session.query(`select name, digest from ${table}`);
        return new Map(rows.map(({ name, digest }) => [String(name), String(digest)]));
      },
      { readOnly: true },
    );
  }

  /** Makes the table. Several processes may come here at once; "if not exists" alone does not wait for the other. */
  async prepare(): Promise<void> {
    await this.database.transaction(async (session) => {
      await session.query('select pg_advisory_xact_lock(1315206223, 0)');
      await session.query('create schema if not exists nest_endpoints');
      await session.query(
        `create table if not exists ${table} (name text primary key, digest text not null)`,
      );
    });
  }

  /** Keeps the digest with what the transaction of the session does to the schema. */
  async keep(session: Session, name: string, digest: string): Promise<void> {
    await session.query(
      `insert into ${table} (name, digest) values ($1, $2)
       on conflict (name) do update set digest = excluded.digest where ${table}.digest <> excluded.digest`,
      [name, digest],
    );
  }
}
