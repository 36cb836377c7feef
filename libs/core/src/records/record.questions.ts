import type { Column } from '../model/column.js';
import type { Model, Relation } from '../model/model.js';
import type { Database } from '../database/database.js';
import { isOfForeignText } from '../database/errors/database.error.js';
import type { Direction } from '../query/query.plan.js';
import type { AskedValue } from './gathered.questions.js';
import type { RecordKey } from './record.store.js';
import { softEntityOf } from '../model/soft/soft.entity.js';
import { both, stickyOf, type Fragment, type Restrictions } from '../sql/restriction.js';
import { liveRestriction } from '../visibility/live.records.js';
import type { Session } from '../visibility/session.js';
import { conditionWords } from '../sql/condition.writer.js';
import type { RecordsShape } from '../sql/select.shape.js';
import type { Row } from '../sql/row.layout.js';
import { SelectStatement } from '../sql/select.statement.js';
import { StatementCache } from '../sql/statement.cache.js';
import type { Statement } from '../sql/statement.js';
import type { TableSql } from '../sql/table.sql.js';
import { recordKeyText } from './record.key.js';

/** A page of nothing but rows. */
const page = { isFirst: true, isDeep: false, readsCursor: false, counts: false };

const nothing: readonly Fragment[] = [];

/** Records of a model by their keys, to which others refer, as far as they may be seen. */
type KeyedShape = RecordsShape & Required<Pick<RecordsShape, 'narrowed'>>;

/** No record has a text that its column cannot have. A statement that fails for it leaves MariaDB's transaction as it is. */
function noneHasForeignText(error: unknown): readonly Row[] {
  if (isOfForeignText(error)) return [];
  throw error;
}

/**
 * Answers what Unique and BelongsToId want to know of stored records, one statement a question. Made once for a model,
 * because statements are written once.
 */
export class RecordQuestioner {
  readonly #statements = new StatementCache();

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
    const { tables } = session;
    const restrictions = await this.#sticky(session);
    const statement = this.#statements.get(tables, ['taken', column.name], restrictions, nothing, () => {
      const path = { text: column.name, relations: [], column };
      const conditions = [{ path, comparison: '=', isExact: true }] as const;
      const shape = { model, columns: [model.idPath], conditions, restrictions, page };
      return SelectStatement.rows(this.database.dialect, tables, shape);
    });
    const asked = session.run(statement, { values: [value], limit: 1, restrictions });
    const rows = await asked.catch(noneHasForeignText);
    const own = ownId === undefined ? undefined : recordKeyText(this.model.idPath.column, ownId);
    return rows.some(([id]) => recordKeyText(this.model.idPath.column, id) !== own);
  }

  /** {@link isTaken} of many values, in one statement; in two where several records may have a value. */
  async taken(session: Session, column: Column, asked: readonly AskedValue[]): Promise<readonly boolean[]> {
    try {
      return await this.#taken(session, column, asked);
    } catch (error) {
      if (!isOfForeignText(error)) throw error;
      // One of the values was it: of the others nothing is known yet.
      const answers: boolean[] = [];
      for (const { value, ownId } of asked) answers.push(await this.isTaken(session, column, value, ownId));
      return answers;
    }
  }

  async #taken(session: Session, column: Column, asked: readonly AskedValue[]): Promise<readonly boolean[]> {
    const texts = asked.map(({ value }) => column.type.keyText(column.type.toDatabase(value)));
    const values = [...new Map(texts.map((text, index) => [text, asked[index]?.value])).values()];
    const owners = await this.#owners(session, column, values, 'asc');
    const others = asked.some(({ ownId }) => ownId !== undefined);
    const last = others && !this.model.isUnique(column) ? 'desc' : undefined;
    if (last !== undefined)
      for (const [text, ids] of await this.#owners(session, column, values, last))
        owners.set(text, [...(owners.get(text) ?? []), ...ids]);
    const known = new Set(texts);
    // A collation takes other letters for the same, a number has other digits: then nothing but the database itself knows.
    const isCertain = [...owners.keys()].every((text) => known.has(text));
    const answers: boolean[] = [];
    for (const [index, { value, ownId }] of asked.entries()) {
      const ids = owners.get(texts[index] ?? '') ?? [];
      const own = ownId === undefined ? undefined : recordKeyText(this.model.idPath.column, ownId);
      const isOthers = ids.some((id) => id !== own);
      answers.push(isOthers || (!isCertain && (await this.isTaken(session, column, value, ownId))));
    }
    return answers;
  }

  /** The records that have some values, by the value as text: of those that share one, the first in an order of their ids. */
  async #owners(
    session: Session,
    column: Column,
    values: readonly unknown[],
    direction: Direction,
  ): Promise<Map<string, readonly string[]>> {
    const { model } = this;
    const { dialect } = this.database;
    const { tables } = session;
    const restrictions = await this.#sticky(session);
    const listLength = dialect.bindsLists ? 0 : values.length;
    const key = ['owners', column.name, direction, String(listLength)];
    const statement = this.#statements.get(tables, key, restrictions, nothing, () => {
      const path = { text: column.name, relations: [], column };
      const conditions = [{ path, comparison: 'in', isExact: true, listLength }] as const;
      const grouped = model.isUnique(column)
        ? {}
        : { groupBy: path, sorts: [{ path: model.idPath, direction }] };
      const columns = [model.idPath, path];
      const shape = { model, columns, conditions, restrictions, ...grouped, page };
      return SelectStatement.rows(dialect, tables, shape);
    });
    const inputs = { values: [values], limit: 2 * values.length, restrictions };
    const rows = await session.run(statement, inputs);
    const owners = new Map<string, readonly string[]>();
    for (const [id, value] of rows) {
      const text = column.type.keyText(value);
      owners.set(text, [...(owners.get(text) ?? []), recordKeyText(model.idPath.column, id)]);
    }
    return owners;
  }

  /** Tells which of some keys have a record to see. */
  async existing(session: Session, keys: readonly unknown[]): Promise<(key: unknown) => boolean> {
    const { type } = this.model.idPath.column;
    // A key that is a text is one in its own letters alone; those of others are written in one way by the database.
    const textOf = (text: string): string => (type.isText ? text : text.toLowerCase());
    const seen = new Set([...(await this.visible(session, keys))].map(textOf));
    return (key) => seen.has(textOf(type.keyText(type.toDatabase(type.toKept(key)))));
  }

  /** True if there is a record to see for every key. */
  async allExist(session: Session, keys: readonly unknown[]): Promise<boolean> {
    if (keys.length === 0) return true;
    const distinct = this.#distinct(keys);
    const shape = await this.#withKeys(session, distinct);
    const { tables } = session;
    const statement = this.#statement('count', tables, shape, () =>
      SelectStatement.count(this.database.dialect, tables, shape),
    );
    const { restrictions, narrowed } = shape;
    const [row] = await session.run(statement, { values: [distinct], restrictions, narrowed });
    return Number(row?.[0]) === distinct.length;
  }

  /**
   * Finds those of the keys that have a record to see, as texts by which equal keys are known.
   * @param relation leads to the records; they must be those that it may lead to
   */
  async visible(
    session: Session,
    keys: readonly unknown[],
    relation?: Relation,
  ): Promise<ReadonlySet<string>> {
    if (keys.length === 0) return new Set();
    const { idPath } = this.model;
    const distinct = this.#distinct(keys);
    const shape = { ...(await this.#withKeys(session, distinct, relation)), columns: [idPath], page };
    const { tables } = session;
    const statement = this.#statement('rows', tables, shape, () =>
      SelectStatement.rows(this.database.dialect, tables, shape),
    );
    const { restrictions, narrowed } = shape;
    const inputs = { values: [distinct], restrictions, narrowed, limit: distinct.length };
    const rows = await session.run(statement, inputs);
    return new Set(rows.map(([id]) => idPath.column.type.keyText(id)));
  }

  /**
   * Questions are asked among the records of one tenant: of the others the database itself must say it. So are they among live
   * ones, whichever the endpoint is about, where a deleted record may have the same values.
   */
  async #sticky(session: Session): Promise<Restrictions> {
    const { meta } = this.model;
    const sticky = stickyOf(await session.restrictionsOf(new Set([meta])));
    const live = softEntityOf(meta)?.isUniqueAmongLive === true ? liveRestriction(meta) : undefined;
    const asked = both(sticky.get(meta), live);
    return live === undefined || asked === undefined ? sticky : new Map([[meta, asked]]);
  }

  #statement(use: string, tables: TableSql, shape: KeyedShape, write: () => Statement): Statement {
    return this.#statements.get(
      tables,
      [use, ...conditionWords(shape.conditions)],
      shape.restrictions,
      shape.narrowed,
      write,
    );
  }

  /** Keys as the column that refers to them keeps them, told apart as the database does. */
  #distinct(keys: readonly unknown[]): readonly unknown[] {
    const { type } = this.model.idPath.column;
    const kept = keys.map((key) => type.toKept(key));
    return [...new Map(kept.map((key) => [type.keyText(type.toDatabase(key)), key])).values()];
  }

  async #withKeys(session: Session, keys: readonly unknown[], relation?: Relation): Promise<KeyedShape> {
    const { model, database } = this;
    const listLength = database.dialect.bindsLists ? 0 : keys.length;
    const conditions = [{ path: model.idPath, comparison: 'in', isExact: true, listLength }] as const;
    const related = relation === undefined ? undefined : session.tables.related(relation);
    const narrowed = related === undefined ? nothing : [related];
    const restrictions = await session.restrictionsOf(new Set([model.meta]));
    return { model, conditions, restrictions, narrowed, isReferred: true };
  }
}
