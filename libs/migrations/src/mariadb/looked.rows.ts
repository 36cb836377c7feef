import type { Session } from '../database/session.js';
import type { RequiredColumn, RetypedColumn, SchemaChange } from '../diff/schema.diff.tool.js';
import { isRefusal } from './mariadb.database.js';
import { quoteName } from './mariadb.quoting.js';
import { namesBefore, type DoneRename } from './renamed.first.js';

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
      if (count > 0) lines.push(`${count === 1 ? '1 value' : `${count} values`} of ${what}`);
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

  async #countChanged(column: RetypedColumn): Promise<number> {
    const { session } = this;
    const { table, name } = this.#source(column);
    await session.query('drop temporary table if exists looked');
    try {
      await session.query(
        `create temporary table looked (was ${column.from}, now ${column.to}, back ${column.from})`,
      );
      await session.query(
        `insert into looked (was, now) select ${name}, ${name} from ${table} where ${name} is not null`,
      );
      await session.query('update looked set back = now');
    } catch (error) {
      // A value that the new type refuses stops the statement itself, and nothing is lost.
      if (!isRefusal(error)) throw error;
      return 0;
    }
    const [row] = await session.query(
      'select count(*) as changed from looked where not (cast(was as binary) <=> cast(back as binary))',
    );
    return Number(row?.['changed']);
  }

  #source(name: { readonly table: string; readonly column: string }): {
    readonly table: string;
    readonly name: string;
  } {
    const { table, column } = namesBefore(this.renames, name);
    return { table: `${quoteName(this.database)}.${quoteName(table)}`, name: quoteName(column) };
  }
}
