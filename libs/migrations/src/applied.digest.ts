import type { TargetDatabase } from './database/target.database.js';
import { digestOf } from './sources/source.digest.js';
import type { SourceText } from './sources/source.text.js';

/** Remembers in the database which target was applied last. */
export class AppliedDigest {
  /** A schema of its own, which no plan touches. */
  static readonly schema = 'nest_endpoints';
  readonly #digest: string;

  constructor(
    private readonly database: TargetDatabase,
    sources: readonly SourceText[],
  ) {
    this.#digest = digestOf(sources);
  }

  async isCurrent(): Promise<boolean> {
    return (await this.#kept()) === this.#digest;
  }

  /** True if some target was applied before. */
  async isThere(): Promise<boolean> {
    return (await this.#kept()) !== undefined;
  }

  async keep(): Promise<void> {
    await this.database.transaction(async (session) => {
      // Several processes may come here at once; "if not exists" alone does not wait for the other.
      await session.query('select pg_advisory_xact_lock(1315206223, 0)');
      await session.query('create schema if not exists nest_endpoints');
      await session.query(
        'create table if not exists nest_endpoints.applied_schema ' +
          '(only_row boolean primary key default true check (only_row), digest text not null)',
      );
      await session.query(
        'insert into nest_endpoints.applied_schema (digest) values ($1) ' +
          'on conflict (only_row) do update set digest = excluded.digest',
        [this.#digest],
      );
    });
  }

  #kept(): Promise<unknown> {
    return this.database.transaction(
      async (session) => {
        const [there] = await session.query(
          `select to_regclass('nest_endpoints.applied_schema') is not null as yes`,
        );
        if (there?.['yes'] !== true) return undefined;
        const [row] = await session.query('select digest from nest_endpoints.applied_schema');
        return row?.['digest'];
      },
      { readOnly: true },
    );
  }
}
