import type { Model } from '../../model/model.js';
import type { Condition } from '../../query/query.plan.js';
import { NotFound } from '../../wire/refusals.js';
import type { Database } from '../../database/database.js';
import type { Mark } from '../soft/mark.js';
import { FollowingColumns } from './following.columns.js';
import { FilledValues } from './filled.values.js';
import { isKeptWithin } from './kept.within.js';
import { isPossible, StatementParts, wordsOf, wordsOfConditions } from './statement.parts.js';
import { WriteStatement } from '../../sql/write.statement.js';
import { LastChange, type PlainChange } from '../../sql/written/last.change.js';
import type { WrittenParent, WrittenRecord } from '../../sql/written/written.record.js';
import type { ColumnValues, WriteUse } from '../record.store.js';
import type { Restrictions } from '../../sql/restriction.js';
import type { Row } from '../../sql/row.layout.js';
import type { Session } from '../../visibility/session.js';
import { StatementCache } from '../../sql/statement.cache.js';
import type { TableSql } from '../../sql/table.sql.js';
import type { Statement } from '../../sql/statement.js';
import { StatementUpsert, type ConditionalChange, type UpsertParts } from './upsert/statement.upsert.js';
import type {
  UpsertAnswer,
  UpsertTarget,
  WriteAnswer,
  WriteInput,
  WriteRequest,
  Writes,
  WriteTarget,
} from './writes.js';

const nothing: readonly [] = [];
const noValues: ColumnValues = new Map();

/** The parts of a change that its statement depends on beside its columns and conditions. */
interface Surroundings {
  /** The values that follow it. */
  readonly following: ColumnValues;
  readonly restrictions: Restrictions;
  readonly parents: readonly WrittenParent[];
}

/**
 * Writes that are one statement each, which also answers with the record. They leave to the unit of work what they do not
 * know, and what the database refuses: there the checks find the reason.
 */
export class StatementWrites<R extends WriteRequest, I extends WriteInput> implements Writes<R, I> {
  readonly #parts: StatementParts;
  readonly #filled: FilledValues;
  readonly #following: FollowingColumns;
  readonly #written: Pick<WrittenRecord, 'model' | 'columns' | 'recorded'>;
  readonly #statements: StatementCache;
  readonly #lastChange = new LastChange();
  readonly #upsert: StatementUpsert | undefined;
  /** True if statements of the database tell whether values change, of whatever type. */
  readonly #comparesEveryType: boolean;

  constructor(
    private readonly database: Database,
    private readonly model: Model,
    private readonly use: WriteUse,
    private readonly unit: Writes<R, I>,
  ) {
    const { columns, reading, statements } = use;
    this.#statements = statements?.part('written') ?? new StatementCache();
    this.#parts = new StatementParts(database, model, use);
    this.#comparesEveryType = database.dialect.comparesEveryType;
    this.#filled = new FilledValues(model.meta, database.dialect);
    this.#following = new FollowingColumns(columns);
    this.#written = { model, columns: reading.layout.columns, recorded: this.#parts.recorded };
    this.#upsert = use.conflict && new StatementUpsert(database, use, use.conflict, this.#upsertParts);
  }

  /** The parts that an Upsert shares with other writes. */
  get #upsertParts(): UpsertParts {
    const parts = this.#parts;
    return {
      filled: this.#filled,
      following: this.#following,
      written: this.#written,
      restrictions: (session) => parts.restrictions(session),
      isSure: (restrictions) => parts.isSure(restrictions),
      parents: (restrictions, row) => parts.parents(restrictions, row),
      row: (values) => parts.row(values),
      statement: (...asked) => this.#statement(...asked),
      sent: (session, statement, inputs) => parts.sent(session, statement, inputs),
      created: (session, values) => this.#created(session, values),
      changed: (session, change) => this.#changed(session, change),
    };
  }

  /** Creates by a statement. Input with a complaint goes to the unit of work, which asks for everything else. */
  async create<T>(request: R, input: I, answer: WriteAnswer<R, T>): Promise<T> {
    const row = input.complaints.size === 0 ? await this.#created(request.session, input.values) : undefined;
    return row === undefined ? this.unit.create(request, input, answer) : answer(request, row);
  }

  async update<T>(request: R, target: WriteTarget, input: I, answer: WriteAnswer<R, T>): Promise<T> {
    const { session } = request;
    const known = isPossible(target.expected) ? this.#parts.restrictions(session) : undefined;
    const restrictions = known instanceof Promise ? await known : known;
    const change = restrictions && this.#changeOf(restrictions, target, input.values);
    const rows = change && (await this.#changed(session, change));
    const row = rows?.[0] ?? (rows && (await this.#unchanged(session, target.value, change)));
    return row === undefined ? this.unit.update(request, target, input, answer) : answer(request, row);
  }

  async upsert<T>(request: R, target: UpsertTarget, input: I, answer: UpsertAnswer<R, T>): Promise<T> {
    const isKnown = input.complaints.size === 0;
    const written = isKnown ? await this.#upsert?.write(request.session, target, input.values) : undefined;
    if (written === undefined) return this.unit.upsert(request, target, input, answer);
    return answer(request, written.row, written.isNew);
  }

  async delete(request: R, target: WriteTarget, mark?: Mark): Promise<void> {
    const { session } = request;
    const isDeleted =
      mark === undefined ? await this.#deleted(session, target) : await this.#marked(session, target, mark);
    if (isDeleted === undefined) await this.unit.delete(request, target, mark);
  }

  async restore<T>(request: R, target: WriteTarget, mark: Mark, answer: WriteAnswer<R, T>): Promise<T> {
    const row = await this.#marked(request.session, target, mark);
    return row === undefined ? this.unit.restore(request, target, mark, answer) : answer(request, row);
  }

  /** True if a statement that has changed nothing tells that there is nothing to change. @param key of the record */
  #tellsAll(key: unknown, values: ColumnValues): boolean {
    const { dialect } = this.database;
    if (dialect.returning === 'full') return true;
    const { lookup } = this.use;
    // No statement finds the key 0, see WriteStatement.
    const isKey = lookup?.column === this.model.idColumn && Number(key) !== 0;
    return isKey && [...values.keys()].every(({ property }) => dialect.comparesAll(property));
  }

  /** True if a statement tells whether these change. */
  #canBeCompared(values: ColumnValues): boolean {
    const { dialect } = this.database;
    return [...values.keys()].every(({ property }) => dialect.canCompare(property));
  }

  async #created(session: Session, values: ColumnValues): Promise<Row | undefined> {
    const row = this.#parts.row(values);
    const known = this.#parts.restrictions(session);
    const restrictions = known instanceof Promise ? await known : known;
    if (restrictions === undefined || !this.#filled.create(row)) return undefined;
    const limits = restrictions.get(this.model.meta);
    if (limits !== undefined && !isKeptWithin(limits, row, true)) return undefined;
    const parents = this.#parts.parents(restrictions, row);
    const { dialect } = this.database;
    const { tables } = session;
    const properties = [...row.keys()];
    if (parents.length > 0 && !properties.every((property) => tables.canCast(property))) return undefined;
    const shape = ['insert'];
    for (const { name } of properties) shape.push(name);
    if (parents.length > 0) shape.push(...wordsOf(parents));
    const statement = this.#statement(tables, shape, restrictions, () =>
      WriteStatement.insert(dialect, tables, { ...this.#written, restrictions, parents }, properties),
    );
    return (await this.#parts.sent(session, statement, { row, restrictions }))?.[0];
  }

  #changeOf(
    restrictions: Restrictions,
    { value, expected }: WriteTarget,
    values: ColumnValues,
  ): ConditionalChange {
    const conditions = this.#conditions(value);
    const row = this.#parts.row(values);
    const parents = this.#parts.parents(restrictions, row);
    return { conditions, expected, restrictions, parents, row, values };
  }

  /** The record where nothing was changed; undefined where only the unit of work can tell. @throws NotFound */
  async #unchanged(
    session: Session,
    value: unknown,
    { conditions, expected, parents, restrictions, values }: ConditionalChange,
  ): Promise<Row | undefined> {
    // There may be a record in another version, or the new parent is none to see.
    if (expected !== undefined || parents.length > 0 || !this.#parts.isSure(restrictions)) return undefined;
    if (!this.#tellsAll(value, values)) return undefined;
    // What follows a change is judged without one, too.
    if (this.#following.areAsked) return undefined;
    // The record has these values already, or there is none.
    const found = await this.use.reading.find(session, conditions, nothing);
    if (found === undefined) throw new NotFound();
    return found;
  }

  /** The records that were changed; undefined where the database refuses the values, or some are not known. */
  #changed(
    session: Session,
    { conditions: asked, expected, restrictions, parents, row, values: all }: ConditionalChange,
  ): Promise<readonly Row[] | undefined> | readonly Row[] | undefined {
    const { areThere } = this.#following;
    const values = areThere ? this.#following.without(all) : all;
    const following = areThere ? this.#following.among(all) : noValues;
    if (values.size === 0) return nothing;
    if (!this.#comparesEveryType && !this.#canBeCompared(values)) return undefined;
    if (this.#filled.updated.length > 0 && !this.#filled.update(row)) return undefined;
    const limits = restrictions.get(this.model.meta);
    if (limits !== undefined && !isKeptWithin(limits, row, false)) return undefined;
    const version = expected?.condition;
    const conditions = version === undefined ? asked : [...asked, version];
    const asks: unknown[] = [];
    for (const { value } of conditions) asks.push(value);
    const { tables } = session;
    const change = { tables, values, conditions };
    const isPlain = restrictions.size === 0 && following.size === 0 && this.#written.recorded === undefined;
    const last = isPlain ? this.#lastChange.statementFor(change) : undefined;
    const statement = last ?? this.#changing(change, { following, restrictions, parents });
    if (isPlain && last === undefined) this.#lastChange.keep(change, statement);
    return this.#parts.sent(session, statement, { row, sent: values, values: asks, restrictions });
  }

  /** The statement of a change. */
  #changing(
    { tables, values, conditions }: PlainChange,
    { following, restrictions, parents }: Surroundings,
  ): Statement {
    const isLocked = this.#parts.isLocked(tables);
    const shape = [isLocked ? 'update locked' : 'update'];
    if (parents.length > 0) shape.push(...wordsOf(parents));
    for (const { name } of following.keys()) shape.push(`along ${name}`);
    for (const [{ name }, value] of values) shape.push(`${name} ${value === null}`);
    shape.push(...wordsOfConditions(conditions));
    return this.#statement(tables, shape, restrictions, () => {
      const { dialect } = this.database;
      const { updated, counted } = this.#filled;
      const along = [...[...following.keys()].map(({ property }) => property), ...updated];
      const changed = [...values].map(([column, value]) => ({ column, isNull: value === null }));
      const target = { ...this.#written, restrictions, parents, isLocked };
      return WriteStatement.update(dialect, tables, target, { changed, along, counted }, conditions);
    });
  }

  /** The record as it is now; undefined where only the unit of work can tell. @throws NotFound */
  async #marked(session: Session, { value, expected }: WriteTarget, mark: Mark): Promise<Row | undefined> {
    const known = isPossible(expected) ? this.#parts.restrictions(session) : undefined;
    const restrictions = known instanceof Promise ? await known : known;
    if (restrictions === undefined) return undefined;
    const { values } = mark;
    const row = this.#parts.row(values);
    const conditions = this.#conditions(value);
    const change = { conditions, expected, restrictions, parents: nothing, row, values };
    const rows = await this.#changed(session, change);
    const isSure = expected === undefined && this.#parts.isSure(restrictions);
    if (rows?.length === 0 && isSure && this.#tellsAll(value, values)) throw new NotFound();
    return rows?.[0];
  }

  /** Undefined where only the unit of work can tell. @throws NotFound */
  async #deleted(session: Session, { value, expected }: WriteTarget): Promise<true | undefined> {
    const known = isPossible(expected) ? this.#parts.restrictions(session) : undefined;
    const restrictions = known instanceof Promise ? await known : known;
    if (restrictions === undefined) return undefined;
    const version = expected?.condition;
    const found = this.#conditions(value);
    const conditions = version === undefined ? found : [...found, version];
    const { dialect } = this.database;
    const { tables } = session;
    const shape = ['delete', ...wordsOfConditions(conditions)];
    const values = conditions.map(({ value: asked }) => asked);
    const statement = this.#statement(tables, shape, restrictions, () =>
      WriteStatement.delete(
        dialect,
        tables,
        { ...this.#written, columns: nothing, restrictions, parents: nothing },
        conditions,
      ),
    );
    const rows = await this.#parts.sent(session, statement, { values, restrictions });
    if (rows === undefined) return undefined;
    if (rows.length > 0) return true;
    if (expected !== undefined || !this.#parts.isSure(restrictions)) return undefined;
    throw new NotFound();
  }

  #conditions(value: unknown): readonly Condition[] {
    const { lookup, conditions } = this.use;
    return lookup === undefined ? conditions : [{ path: lookup, comparison: '=', value }, ...conditions];
  }

  #statement(
    tables: TableSql,
    shape: readonly string[],
    restrictions: Restrictions,
    write: () => Statement,
  ): Statement {
    return this.#statements.get(tables, shape, restrictions, nothing, write);
  }
}
