import type { EntityProperty } from '@mikro-orm/core';
import { liveMarkOf } from '../../../model/soft/soft.entity.js';
import type { Condition } from '../../../query/query.plan.js';
import type { Database } from '../../../database/database.js';
import type { Restrictions } from '../../../sql/restriction.js';
import type { Row } from '../../../sql/row.layout.js';
import type { Statement, StatementInputs } from '../../../sql/statement.js';
import type { TableSql } from '../../../sql/table.sql.js';
import { WriteStatement } from '../../../sql/write.statement.js';
import type { WrittenParent, WrittenRecord } from '../../../sql/written/written.record.js';
import type { Session } from '../../../visibility/session.js';
import type { ColumnValues, ConflictUse, NewRowMark, WriteUse } from '../../record.store.js';
import type { FilledValues, RowValues } from '../filled.values.js';
import type { FollowingColumns } from '../following.columns.js';
import { isKeptWithin } from '../kept.within.js';
import type { ExpectedVersions, UpsertTarget } from '../writes.js';

const nothing: readonly [] = [];

/** A change of the record that meets some conditions. */
export interface ConditionalChange {
  readonly conditions: readonly Condition[];
  readonly expected: ExpectedVersions | undefined;
  readonly restrictions: Restrictions;
  readonly parents: readonly WrittenParent[];
  readonly row: RowValues;
  readonly values: ColumnValues;
}

/** The parts that an Upsert shares with other writes of one statement. */
export interface UpsertParts {
  readonly filled: FilledValues;
  readonly following: FollowingColumns;
  readonly written: Pick<WrittenRecord, 'model' | 'columns' | 'recorded'>;
  /** The records that the request may see; undefined where it must go through MikroORM. */
  restrictions(session: Session): Restrictions | undefined | Promise<Restrictions | undefined>;
  /** False if a record that the statement has left alone may only be in a newer version than it sees. */
  isSure(restrictions: Restrictions): boolean;
  parents(restrictions: Restrictions, row: RowValues): readonly WrittenParent[];
  row(values: ColumnValues): RowValues;
  statement(
    tables: TableSql,
    shape: readonly string[],
    restrictions: Restrictions,
    write: () => Statement,
  ): Statement;
  /** Undefined when the database refuses the values. */
  sent(session: Session, statement: Statement, inputs: StatementInputs): Promise<readonly Row[] | undefined>;
  created(session: Session, values: ColumnValues): Promise<Row | undefined>;
  changed(
    session: Session,
    change: ConditionalChange,
  ): Promise<readonly Row[] | undefined> | readonly Row[] | undefined;
}

/** A row that was created, changed, or left as it is. */
interface UpsertedRow {
  readonly row: Row;
  readonly isNew: boolean;
}

/** A new row, and what it gets where it is there already. */
interface Upsertion {
  readonly values: ColumnValues;
  readonly changes: ColumnValues;
  readonly restrictions: Restrictions;
  readonly row: RowValues;
  readonly parents: readonly WrittenParent[];
  /** The way to tell a new row from one that was there. */
  readonly mark: NewRowMark;
}

/** An Upsert of one statement: `insert … on conflict … do update … where … returning …`. Made once for each endpoint. */
export class StatementUpsert {
  readonly #conflict: readonly EntityProperty[];
  /** Told to the database: an index of all records is as good. */
  readonly #ofLive: EntityProperty | undefined;

  constructor(
    private readonly database: Database,
    private readonly use: WriteUse,
    private readonly conflict: ConflictUse,
    private readonly parts: UpsertParts,
  ) {
    this.#conflict = conflict.paths.map(({ column }) => column.property);
    this.#ofLive = liveMarkOf(parts.written.model.meta);
  }

  /** The record as it is now; undefined where only the unit of work can tell. */
  async write(
    session: Session,
    target: UpsertTarget,
    values: ColumnValues,
  ): Promise<UpsertedRow | undefined> {
    const { mayCreate, mayUpdate, expected } = target;
    if (expected !== undefined && expected.condition === undefined) return undefined;
    if (!mayCreate) return mayUpdate ? this.#update(session, expected, values) : undefined;
    if (mayUpdate) return expected === undefined ? this.#upsert(session, values) : undefined;
    const row = await this.parts.created(session, values);
    return row && { row, isNew: true };
  }

  /** Changes the record where there is one: a client that demands it must not get a new one. */
  async #update(
    session: Session,
    expected: ExpectedVersions | undefined,
    values: ColumnValues,
  ): Promise<UpsertedRow | undefined> {
    const { parts, conflict } = this;
    const restrictions = await parts.restrictions(session);
    if (restrictions === undefined) return undefined;
    const changes = conflict.changes(values);
    const row = parts.row(changes);
    const parents = parts.parents(restrictions, row);
    const conditions = this.#found(values);
    const change = { conditions, expected, restrictions, parents, row, values: changes };
    const [changed] = (await parts.changed(session, change)) ?? nothing;
    return changed && { row: changed, isNew: false };
  }

  async #upsert(session: Session, values: ColumnValues): Promise<UpsertedRow | undefined> {
    const { parts, conflict, use } = this;
    const restrictions = await parts.restrictions(session);
    const mark = restrictions && (await conflict.index.markOf(session));
    if (restrictions === undefined || mark === undefined) return undefined;
    const row = parts.row(values);
    const parents = parts.parents(restrictions, row);
    const changes = conflict.changes(values);
    const rows = await this.#sent(session, { values, changes, restrictions, row, parents, mark });
    if (rows === undefined) return undefined;
    const [written] = rows;
    if (written !== undefined) {
      const isNew = written[use.reading.layout.columns.length];
      return { row: written, isNew: isNew === true || isNew === 't' };
    }
    // The parent may be none to see; and what follows a change is judged without one, too. Somebody may have made the record
    // while it was not there to lock.
    if (parents.length > 0 || parts.following.areAsked || this.#isLocked(mark)) return undefined;
    if (!parts.isSure(restrictions)) return undefined;
    // Nothing was written: the record has these values already, or it is hidden.
    const found = await use.reading.find(session, this.#found(values), nothing);
    return found && { row: found, isNew: false };
  }

  /** The written row; none where the database left the one that is there alone; undefined where values are not known. */
  #sent(
    session: Session,
    { values, changes: all, restrictions, row, parents, mark }: Upsertion,
  ): Promise<readonly Row[] | undefined> | undefined {
    const { parts, use } = this;
    const { filled, following, written } = parts;
    const changed = following.without(all);
    const changes = parts.row(all);
    if (!filled.create(row) || !filled.update(changes)) return undefined;
    const limits = restrictions.get(written.model.meta);
    if (limits !== undefined && !(isKeptWithin(limits, row, true) && isKeptWithin(limits, changes, false)))
      return undefined;
    const { dialect } = this.database;
    const { tables } = session;
    const properties = [...row.keys()];
    if (parents.length > 0 && !properties.every((property) => tables.canCast(property))) return undefined;
    const isLocked = this.#isLocked(mark);
    const shape = [isLocked ? 'upsert locked' : 'upsert', mark];
    for (const { name } of properties) shape.push(name);
    for (const { property } of parents) shape.push(`within ${property.name}`);
    const along = [...following.among(all).keys()];
    for (const { name } of along) shape.push(`along ${name}`);
    for (const [{ name }, value] of changed) shape.push(`${name} ${value === null}`);
    const statement = parts.statement(tables, shape, restrictions, () => {
      const target = { ...written, restrictions, parents, isLocked };
      const upserted = {
        properties,
        conflict: this.#conflict,
        ofLive: this.#ofLive,
        mark,
        changed: [...changed].map(([column, value]) => ({ column, isNull: value === null })),
        along: [...along.map(({ property }) => property), ...filled.updated],
        counted: filled.counted,
      };
      return WriteStatement.upsert(dialect, tables, target, upserted, use.conditions);
    });
    const asked = use.conditions.map(({ value }) => value);
    return parts.sent(session, statement, { row, changes, sent: values, values: asked, restrictions });
  }

  /** True if the record must be locked to tell the log how it was: no `returning` of the database has it. */
  #isLocked(mark: NewRowMark): boolean {
    return this.parts.written.recorded !== undefined && mark !== 'old';
  }

  /** The conditions on the record that has the values already. */
  #found(values: ColumnValues): readonly Condition[] {
    const found = this.conflict.paths.map((path) => {
      return { path, comparison: '=', value: values.get(path.column) } as const;
    });
    return [...found, ...this.use.conditions];
  }
}
