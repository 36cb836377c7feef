import { quoteTable } from '../database/quoting.js';
import type { Session } from '../database/session.js';
import type { TableName } from '../diff/schema.diff.tool.js';

/**
 * The tables of which policies hide rows from the role of the session: it owns them, and they force row level security
 * upon their owner. PostgreSQL refuses to look at them, because `row_security` is off.
 */
export class HiddenRows {
  private constructor(private readonly tables: ReadonlyMap<string, TableName>) {}

  /** Finds which of these tables they are. */
  static async of(session: Session, tables: readonly TableName[]): Promise<HiddenRows> {
    const hidden = new Map<string, TableName>();
    for (const { schema, table } of tables) {
      const name = quoteTable(schema, table);
      const [row] = await session.query(
        `select from pg_class where oid = to_regclass($1) and relforcerowsecurity and row_security_active(oid)
           and pg_has_role(relowner, 'USAGE')`,
        [name],
      );
      if (row !== undefined) hidden.set(name, { schema, table });
    }
    return new HiddenRows(hidden);
  }

  isOf({ schema, table }: TableName): boolean {
    return this.tables.has(quoteTable(schema, table));
  }

  /** Says what a plan, which changes nothing, cannot know; empty when nothing is hidden. */
  objections(): readonly string[] {
    if (this.tables.size === 0) return [];
    return [
      'policies hide rows of these tables, so that only apply can look at what it may refuse:',
      ...[...this.tables.values()].map(({ schema, table }) => `  table ${schema}.${table}`),
    ];
  }

  /** Makes the owner see all rows, or only those of the policies again. Nobody else can tell: the transaction locks the table. */
  async force(session: Session, isForced: boolean): Promise<void> {
    for (const name of this.tables.keys())
      await session.query(`alter table ${name} ${isForced ? '' : 'no '}force row level security`);
  }
}

/** Runs work that needs to see all rows of these tables. Where it throws, the transaction has to be undone. */
export async function seeingAllRows<T>(
  session: Session,
  tables: readonly TableName[],
  work: () => Promise<T>,
): Promise<T> {
  const hidden = await HiddenRows.of(session, tables);
  await hidden.force(session, false);
  const result = await work();
  await hidden.force(session, true);
  return result;
}
