import type { Column } from '../model/column.js';
import type { Model } from '../model/model.js';
import type { Database } from './database.js';
import type { RecordKey } from './record.store.js';
import { unrestricted } from './restriction.js';
import type { Session } from './session.js';
import { SelectStatement, type RecordsShape } from './sql/select.statement.js';

/** Nothing but rows. */
const page = { isDeep: false, readsCursor: false, counts: false };

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
    const shape = { model, columns: [model.idPath], conditions, restrictions: unrestricted, page };
    const { dialect } = this.database;
    const { tables } = session;
    const statement = SelectStatement.rows(dialect, tables, shape);
    const rows = await session.run(statement, { values: [value], limit: 1, start: 0 });
    return rows.some(([id]) => ownId === undefined || String(id) !== String(ownId));
  }

  /** Whether there is a record to see for every key. */
  async allExist(session: Session, keys: readonly unknown[]): Promise<boolean> {
    if (keys.length === 0) return true;
    const distinct = this.#distinct(keys);
    const { dialect } = this.database;
    const { tables } = session;
    const shape = await this.#withKeys(session, distinct);
    const statement = SelectStatement.count(dialect, tables, shape);
    const [row] = await session.run(statement, { values: [distinct], restrictions: shape.restrictions });
    return Number(row?.[0]) === distinct.length;
  }

  /** Those of the keys that have a record to see, as JSON text. */
  async visible(session: Session, keys: readonly unknown[]): Promise<ReadonlySet<string>> {
    if (keys.length === 0) return new Set();
    const { idPath } = this.model;
    const { dialect } = this.database;
    const { tables } = session;
    const distinct = this.#distinct(keys);
    const shape = { ...(await this.#withKeys(session, distinct)), columns: [idPath], page };
    const statement = SelectStatement.rows(dialect, tables, shape);
    const { restrictions } = shape;
    const inputs = { values: [distinct], restrictions, limit: distinct.length, start: 0 };
    const rows = await session.run(statement, inputs);
    return new Set(rows.map(([id]) => idPath.column.type.toWire(id)));
  }

  /** Keys are told apart as the database does. */
  #distinct(keys: readonly unknown[]): readonly unknown[] {
    const { type } = this.model.idColumn;
    return [...new Map(keys.map((key) => [String(type.toDatabase(key)), key])).values()];
  }

  async #withKeys(session: Session, keys: readonly unknown[]): Promise<RecordsShape> {
    const { model } = this;
    const listLength = this.database.dialect.bindsLists ? 0 : keys.length;
    const conditions = [{ path: model.idPath, comparison: 'in', isExact: true, listLength }] as const;
    return { model, conditions, restrictions: await session.restrictionsOf(new Set([model.meta])) };
  }
}
