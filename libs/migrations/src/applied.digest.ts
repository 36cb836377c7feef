import type { Session } from './database/session.js';
import type { TargetDatabase } from './database/target.database.js';
import { digestOf } from './sources/source.digest.js';
import type { SourceText } from './sources/source.text.js';

const table = 'nest_endpoints.applied_schema';

/** Remembers in the database which target was applied last. */
export class AppliedDigest {
  /** A schema of its own, which no plan touches. */
  static readonly schema = 'nest_endpoints';
  readonly #digest: string;

  constructor(sources: readonly SourceText[]) {
    this.#digest = digestOf(sources);
  }

  async isCurrent(database: TargetDatabase): Promise<boolean> {
    return (await kept(database)) === this.#digest;
  }

  /** True if some target was applied before. */
  async isThere(database: TargetDatabase): Promise<boolean> {
    return (await kept(database)) !== undefined;
  }

  /**
   * Keeps the digest with what the transaction of the session does, so that it always tells what was applied last.
   *
   * @param isWanted false if nobody asks for it later: then it is kept only where one is kept already
   */
  async keep(session: Session, isWanted: boolean): Promise<void> {
    if (isWanted) await makeTable(session);
    else if (!(await isMade(session))) return;
    await session.query(
      `insert into ${table} (digest) values ($1) on conflict (only_row) do update set digest = excluded.digest`,
      [this.#digest],
    );
  }
}

/** Several processes may come here at once; "if not exists" alone does not wait for the other. */
async function makeTable(session: Session): Promise<void> {
  await session.query('select pg_advisory_xact_lock(1315206223, 0)');
  if (await isMade(session)) return;
  await session.query('create schema if not exists nest_endpoints');
  await session.query(
    `create table ${table} (only_row boolean primary key default true check (only_row), digest text not null)`,
  );
}

async function isMade(session: Session): Promise<boolean> {
  const [row] = await session.query('select to_regclass($1) is not null as yes', [table]);
  return row?.['yes'] === true;
}

function kept(database: TargetDatabase): Promise<unknown> {
  return database.transaction(
    async (session) => {
      if (!(await isMade(session))) return undefined;
      const [row] = await session.query(`select digest from ${table}`);
      return row?.['digest'];
    },
    { readOnly: true },
  );
}
