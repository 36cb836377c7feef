import type { EntityMetadata } from '@mikro-orm/core';
import type { Model } from '../model/model.js';
import type { SelectedColumn, SelectedList, Selection } from '../query/query.plan.js';
import { parentsOf } from '../query/selected.columns.js';
import type { Database } from '../database/database.js';
import { RelatedStatement } from '../sql/related.statement.js';
import type { Session } from '../visibility/session.js';
import { RowLayout, type Row } from '../sql/row.layout.js';
import { keyText } from '../sql/row.writer.js';
import { StatementCache } from '../sql/statement.cache.js';
import type { Restrictions } from '../sql/restriction.js';

import type { TableSql } from '../sql/table.sql.js';

const noRows: readonly Row[] = [];

/**
 * Completes the rows of a selection: related records are read for all rows at once, one statement for each list of the
 * selection whatever the number of rows. Made once per endpoint.
 */
export class SelectionReader {
  readonly layout: RowLayout;
  readonly #lists: readonly RelatedReader[];

  constructor(
    database: Database,
    private readonly model: Model,
    selection: Selection | SelectedColumn,
    statements?: StatementCache,
  ) {
    this.layout = new RowLayout(selection);
    this.#lists = this.layout.lists.map((list, index) => {
      const owner = list.ownerKey.relations.at(-1)?.target() ?? model;
      const own = statements?.part(`list ${index}`);
      return new RelatedReader(database, owner, list, this.layout.at(list.ownerKey), own);
    });
  }

  /** Every entity that is read, whose restrictions count. */
  *entities(): Generator<EntityMetadata> {
    yield this.model.meta;
    for (const { meta } of parentsOf(this.layout.columns)) yield meta;
    for (const list of this.#lists) yield* list.entities();
  }

  /** The rows of a statement with their related records, each list at its place in the layout. */
  complete(
    session: Session,
    rows: readonly Row[],
    restrictions: Restrictions,
  ): readonly Row[] | Promise<readonly Row[]> {
    return this.#lists.length === 0 || rows.length === 0
      ? rows
      : this.#completed(session, rows, restrictions);
  }

  async #completed(
    session: Session,
    rows: readonly Row[],
    restrictions: Restrictions,
  ): Promise<readonly Row[]> {
    const lists: (readonly (readonly Row[])[])[] = [];
    for (const reader of this.#lists) lists.push(await reader.read(session, rows, restrictions));
    return this.layout.extended(rows, lists);
  }
}

/** Reads one list of related records, for all rows of a page. */
class RelatedReader {
  readonly #members: SelectionReader;
  readonly #statements: StatementCache;

  constructor(
    private readonly database: Database,
    private readonly owner: Model,
    private readonly list: SelectedList,
    /** The place in rows of the key that related records belong to. */
    private readonly ownerKey: number,
    statements?: StatementCache,
  ) {
    this.#statements = statements?.part('owned') ?? new StatementCache();
    this.#members = new SelectionReader(database, list.relation.target(), list.members, statements);
  }

  *entities(): Generator<EntityMetadata> {
    const { between } = this.list.relation;
    yield* this.#members.entities();
    if (between !== undefined) yield between;
    for (const { meta } of parentsOf(this.list.sorts.map(({ path }) => path))) yield meta;
  }

  /** The related rows of each owner. */
  async read(
    session: Session,
    owners: readonly Row[],
    restrictions: Restrictions,
  ): Promise<readonly (readonly Row[])[]> {
    const keys = new Map<string, unknown>();
    for (const { [this.ownerKey]: key } of owners)
      if (key !== null && key !== undefined) keys.set(keyText(key), key);
    if (keys.size === 0) return owners.map(() => noRows);
    const statement = this.#statement(session.tables, restrictions, keys.size);
    const rows = await session.run(statement, { restrictions, owners: [...keys.values()] });
    const members = await this.#members.complete(session, rows, restrictions);
    const owner = this.#members.layout.columns.length;
    const byOwner = new Map<string, Row[]>();
    for (const [index, { [owner]: ownerKey }] of rows.entries()) {
      const key = keyText(ownerKey);
      const related = byOwner.get(key) ?? [];
      byOwner.set(key, related);
      related.push(members[index] ?? noRows);
    }
    return owners.map(({ [this.ownerKey]: key }) => byOwner.get(keyText(key)) ?? noRows);
  }

  #statement(
    tables: TableSql,
    restrictions: Restrictions,
    owners: number,
  ): ReturnType<StatementCache['get']> {
    const { dialect } = this.database;
    const { relation, sorts, limit } = this.list;
    const { columns } = this.#members.layout;
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
