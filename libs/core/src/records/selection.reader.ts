import type { EntityMetadata } from '@mikro-orm/core';
import type { ColumnPath, Model } from '../model/model.js';
import type { SelectedColumn, SelectedList, Selection } from '../query/query.plan.js';
import { columnsOf, listsOf, parentsOf } from '../query/selected.columns.js';
import type { NameTable } from '../wire/name.table.js';
import type { Database } from './database.js';
import { RelatedStatement } from './sql/related.statement.js';
import type { Session } from './session.js';
import { keyText, rowWriter, type RelatedTexts, type Row } from './row.writer.js';
import { StatementCache } from './sql/statement.cache.js';
import type { Restrictions } from './sql/statement.js';
import type { TableSql } from './sql/table.sql.js';

const noLists: RelatedTexts = new Map();

/**
 * Turns the rows of a selection into JSON text. Related records are read for all rows at once, one statement for each
 * list of the selection whatever the number of rows. Made once per endpoint.
 */
export class SelectionReader {
  readonly columns: readonly ColumnPath[];
  readonly #write: ReturnType<typeof rowWriter>;
  readonly #lists: readonly RelatedReader[];

  constructor(
    database: Database,
    private readonly model: Model,
    selection: Selection | SelectedColumn,
    names: NameTable,
  ) {
    this.columns = columnsOf(selection);
    this.#write = rowWriter(selection, names, database.dialect.platform);
    const positions = new Map(this.columns.map(({ text }, index) => [text, index]));
    this.#lists = listsOf(selection).map((list) => {
      const owner = list.ownerKey.relations.at(-1)?.target() ?? model;
      return new RelatedReader(database, owner, list, positions.get(list.ownerKey.text) ?? -1, names);
    });
  }

  /** Every entity that is read, whose restrictions count. */
  *entities(): Generator<EntityMetadata> {
    yield this.model.meta;
    for (const { meta } of parentsOf(this.columns)) yield meta;
    for (const list of this.#lists) yield* list.entities();
  }

  /** The JSON text of one row; undefined when related records must be read for it, see {@link texts}. */
  textOf(row: Row): string | undefined {
    return this.#lists.length === 0 ? this.#write(row, noLists) : undefined;
  }

  /** The JSON text of each row. */
  async texts(session: Session, rows: readonly Row[], restrictions: Restrictions): Promise<string[]> {
    if (this.#lists.length === 0 || rows.length === 0) return rows.map((row) => this.#write(row, noLists));
    const related = new Map<SelectedList, ReadonlyMap<string, string>>();
    for (const reader of this.#lists)
      related.set(reader.list, await reader.read(session, rows, restrictions));
    return rows.map((row) => this.#write(row, related));
  }
}

/** Reads one list of related records, for all rows of a page. */
class RelatedReader {
  readonly #members: SelectionReader;
  readonly #statements = new StatementCache();

  constructor(
    private readonly database: Database,
    private readonly owner: Model,
    readonly list: SelectedList,
    /** Where rows have the key that related records belong to. */
    private readonly ownerKey: number,
    names: NameTable,
  ) {
    this.#members = new SelectionReader(database, list.relation.target(), list.members, names);
  }

  *entities(): Generator<EntityMetadata> {
    yield* this.#members.entities();
    for (const { meta } of parentsOf(this.list.sorts.map(({ path }) => path))) yield meta;
  }

  /** The JSON text of each owner's list, by the owner's key. */
  async read(
    session: Session,
    owners: readonly Row[],
    restrictions: Restrictions,
  ): Promise<ReadonlyMap<string, string>> {
    const keys = new Map<string, unknown>();
    for (const { [this.ownerKey]: key } of owners)
      if (key !== null && key !== undefined) keys.set(keyText(key), key);
    if (keys.size === 0) return new Map();
    const statement = this.#statement(session.tables, restrictions, keys.size);
    const rows = await session.run(statement, { restrictions, owners: [...keys.values()] });
    const texts = await this.#members.texts(session, rows, restrictions);
    const lists = new Map<string, string>();
    const owner = this.#members.columns.length;
    for (const [index, { [owner]: ownerKey }] of rows.entries()) {
      const key = keyText(ownerKey);
      const before = lists.get(key);
      lists.set(key, `${before === undefined ? '[' : `${before},`}${texts[index] ?? 'null'}`);
    }
    for (const [key, list] of lists) lists.set(key, `${list}]`);
    return lists;
  }

  #statement(
    tables: TableSql,
    restrictions: Restrictions,
    owners: number,
  ): ReturnType<StatementCache['get']> {
    const { dialect } = this.database;
    const { relation, sorts, limit } = this.list;
    const { columns } = this.#members;
    const ownerCount = dialect.bindsLists ? 0 : owners;
    return this.#statements.get(tables, [String(ownerCount)], restrictions, [], () =>
      RelatedStatement.write(dialect, tables, {
        owner: this.owner,
        relation,
        columns,
        sorts,
        limit,
        restrictions,
        ownerCount,
      }),
    );
  }
}
