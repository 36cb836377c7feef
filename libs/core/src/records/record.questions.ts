import type { Column } from '../model/column.js';
import type { Model } from '../model/model.js';
import type { Database } from './database.js';
import type { RecordKey } from './record.store.js';
import { unrestricted } from './restriction.js';
import type { Session } from './session.js';
import { SelectStatement } from './sql/select.statement.js';

/** Answers what Unique and BelongsToId want to know of stored records, one statement a question. */
export class RecordQuestioner {
  constructor(
    private readonly database: Database,
    private readonly model: Model,
  ) {}

  /**
   * A value is taken whoever may see its record: the database would refuse it all the same.
   * @param ownId the key of the record being updated; undefined when it is created
   */
  async isTaken(
    session: Session,
    column: Column,
    value: unknown,
    ownId: RecordKey | undefined,
  ): Promise<boolean> {
    const { model } = this;
    const path = { text: column.name, relations: [], column };
    const conditions = [{ path, comparison: '=', isExact: true }] as const;
    const page = { isDeep: false, readsCursor: false, counts: false };
    const shape = { model, columns: [model.idPath], conditions, restrictions: unrestricted, page };
    const { dialect, tables } = this.database;
    const statement = SelectStatement.rows(dialect, tables, shape);
    const rows = await session.run(statement, { values: [value], limit: 1, start: 0 });
    return rows.some(([id]) => ownId === undefined || String(id) !== String(ownId));
  }

  /** Whether there is a record to see for every key. Keys are told apart as the database does. */
  async allExist(session: Session, keys: readonly unknown[]): Promise<boolean> {
    if (keys.length === 0) return true;
    const { model } = this;
    const { idPath } = model;
    const { type } = idPath.column;
    const distinct = [...new Map(keys.map((key) => [String(type.toDatabase(key)), key])).values()];
    const { dialect, tables } = this.database;
    const listLength = dialect.bindsLists ? 0 : distinct.length;
    const conditions = [{ path: idPath, comparison: 'in', isExact: true, listLength }] as const;
    const restrictions = await session.restrictionsOf(new Set([model.meta]));
    const statement = SelectStatement.count(dialect, tables, { model, conditions, restrictions });
    const [row] = await session.run(statement, { values: [distinct], restrictions });
    return Number(row?.[0]) === distinct.length;
  }
}
