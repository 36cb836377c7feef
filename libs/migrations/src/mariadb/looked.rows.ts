import type { Session } from '../database/session.js';
import type { RequiredColumn, RetypedColumn, SchemaChange } from '../diff/schema.diff.tool.js';
import { MigrationFailure } from '../migration.failure.js';
import { changedIn } from '../safety/changed.values.js';
import { isRefusal } from './mariadb.database.js';
import { quoteName } from './mariadb.quoting.js';
import { namesBefore, type DoneRename } from './renamed.first.js';

/**
 * Numbers of what MariaDB says of values beside SQLSTATE 22: 1265 cut, 1366 no such value, 4025 against the check of a JSON column. Any
 * other says nothing of values, e.g. that somebody holds the table.
 */
const ofValues: ReadonlySet<number> = new Set([1265, 1366, 4025]);

/** Numbers of tables that MariaDB cannot make: 1118 rows that are too long, 1074 columns that are. */
const beyondTables: ReadonlySet<number> = new Set([1118, 1074]);

/** Looks at the rows of one database from another one that may be written to. */
export class LookedRows {
  constructor(
    private readonly session: Session,
    private readonly database: string,
    private readonly renames: readonly DoneRename[],
  ) {}

  /**
   * Finds the existing values that a new type would change. MariaDB rounds and cuts some of them without a word, so every
   * value is turned into the new type and back.
   */
  async changed({ retyped }: Pick<SchemaChange, 'retyped'>): Promise<readonly string[]> {
    const lines: string[] = [];
    for (const column of retyped) {
      const count = await this.#countChanged(column);
      const what = `column ${column.table}.${column.column} (${column.from} → ${column.to})`;
      lines.push(...changedIn(what, count));
    }
    return lines;
  }

  /** Finds the columns that become required, and that rows have no value for. */
  async lacking({ required }: Pick<SchemaChange, 'required'>): Promise<readonly RequiredColumn[]> {
    const lacking: RequiredColumn[] = [];
    for (const column of required) {
      const { table, name } = this.#source(column);
      const where = column.isNew ? '' : ` where ${name} is null`;
      const rows = await this.session.query(`select 1 as yes from ${table}${where} limit 1`);
      if (rows.length > 0) lacking.push(column);
    }
    return lacking;
  }

  /** Counts the values that come back changed; undefined where that cannot be asked. */
  async #countChanged(column: RetypedColumn): Promise<bigint | undefined> {
    const { session } = this;
    const { table, name } = this.#source(column);
    await session.query('drop temporary table if exists looked');
    try {
      await session.query(
        `create temporary table looked (was ${column.from} null, now ${column.to} null, back ${column.from} null)`,
      );
      await session.query(
        `insert into looked (was, now) select ${name}, ${name} from ${table} where ${name} is not null`,
      );
      await session.query('update looked set back = now');
    } catch (error) {
      if (!isRefusal(error)) throw error;
      if (beyondTables.has(error.errno)) return undefined;
      // A value that the new type refuses stops the statement itself, and nothing is lost.
      if (error.sqlState.startsWith('22') || ofValues.has(error.errno)) return 0n;
      // Whether anything would be lost, nobody knows.
      throw new MigrationFailure(`nothing was changed: ${error.message}`, { cause: error });
    }
    const [row] = await session.query(
      'select count(*) as changed from looked where not (cast(was as binary) <=> cast(back as binary))',
    );
    return BigInt(row?.['changed'] as number);
  }

  #source(name: { readonly table: string; readonly column: string }): {
    readonly table: string;
    readonly name: string;
  } {
    const { table, column } = namesBefore(this.renames, name);
    return { table: `${quoteName(this.database)}.${quoteName(table)}`, name: quoteName(column) };
  }
}
