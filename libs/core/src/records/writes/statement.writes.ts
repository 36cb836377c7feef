import type { Model } from '../../model/model.js';
import type { Condition } from '../../query/query.plan.js';
import { NotFound } from '../../wire/refusals.js';
import { databaseReason, type DatabaseReason } from '../../database/errors/database.error.js';
import type { Database } from '../../database/database.js';
import { FollowingColumns } from './following.columns.js';
import { FilledValues, type RowValues } from './filled.values.js';
import { isKeptWithin } from './kept.within.js';
import { guardedBy, WriteWay } from './write.way.js';
import { WriteStatement, type WrittenParent, type WrittenRecord } from '../../sql/write.statement.js';
import type { ColumnValues, WriteUse } from '../record.store.js';
import type { Restrictions } from '../../sql/restriction.js';
import type { Row } from '../../sql/row.layout.js';
import type { Session } from '../../visibility/session.js';
import { StatementCache } from '../../sql/statement.cache.js';
import type { Statement, StatementInputs } from '../../sql/statement.js';
import type { WriteAnswer, WriteInput, WriteRequest, Writes, WriteTarget } from './writes.js';

const nothing: readonly [] = [];
const noValues: ColumnValues = new Map();

/** A change of one record. */
interface Change extends Pick<WriteTarget, 'expected'> {
  readonly conditions: readonly Condition[];
  readonly restrictions: Restrictions;
  readonly parents: readonly WrittenParent[];
  readonly row: RowValues;
  readonly values: ColumnValues;
}

/**
 * Writes that are one statement each, which also answers with the record. They leave to the unit of work what they do not
 * know, and what the database refuses: there the checks find the reason.
 */
export class StatementWrites<R extends WriteRequest, I extends WriteInput> implements Writes<R, I> {
  readonly #way: WriteWay;
  readonly #filled: FilledValues;
  readonly #following: FollowingColumns;
  readonly #written: Pick<WrittenRecord, 'model' | 'columns'>;
  readonly #statements: StatementCache;

  constructor(
    private readonly database: Database,
    private readonly model: Model,
    private readonly use: WriteUse,
    private readonly unit: Writes<R, I>,
  ) {
    const { columns, lookup, selection, reading, statements } = use;
    this.#statements = statements?.part('written') ?? new StatementCache();
    this.#way = new WriteWay(database, model, selection, guardedBy(model, columns, lookup?.column));
    this.#filled = new FilledValues(model.meta, database.dialect);
    this.#following = new FollowingColumns(columns);
    this.#written = { model, columns: reading.layout.columns };
  }

  /** Creates by a statement. Input with a complaint goes to the unit of work, which asks for everything else. */
  async create<T>(request: R, input: I, answer: WriteAnswer<R, T>): Promise<T> {
    const row = input.complaints.size === 0 ? await this.#created(request.session, input.values) : undefined;
    return row === undefined ? this.unit.create(request, input, answer) : answer(request, row);
  }

  async update<T>(request: R, target: WriteTarget, input: I, answer: WriteAnswer<R, T>): Promise<T> {
    const row = await this.#updated(request.session, target, input.values);
    return row === undefined ? this.unit.update(request, target, input, answer) : answer(request, row);
  }

  async delete(request: R, target: WriteTarget): Promise<void> {
    const isDeleted = await this.#deleted(request.session, target);
    if (isDeleted !== true) await this.unit.delete(request, target);
  }

  async #created(session: Session, values: ColumnValues): Promise<Row | undefined> {
    const row = this.#row(values);
    const known = this.#restrictions(session);
    const restrictions = known instanceof Promise ? await known : known;
    if (restrictions === undefined || !this.#filled.create(row)) return undefined;
    if (!isKeptWithin(restrictions.get(this.model.meta), row, true)) return undefined;
    const parents = this.#parents(restrictions, row);
    const { dialect, tables } = this.database;
    const properties = [...row.keys()];
    if (parents.length > 0 && !properties.every((property) => dialect.canCast(property))) return undefined;
    const shape = ['insert'];
    for (const { name } of properties) shape.push(name);
    if (parents.length > 0) shape.push(...wordsOf(parents));
    const statement = this.#statement(shape, restrictions, () =>
      WriteStatement.insert(dialect, tables, { ...this.#written, restrictions, parents }, properties),
    );
    return (await this.#sent(session, statement, { row, restrictions }))?.[0];
  }

  /** The record as it is now; undefined where only the unit of work can tell. @throws NotFound */
  async #updated(
    session: Session,
    { value, expected }: WriteTarget,
    values: ColumnValues,
  ): Promise<Row | undefined> {
    const known = isPossible(expected) ? this.#restrictions(session) : undefined;
    const restrictions = known instanceof Promise ? await known : known;
    if (restrictions === undefined) return undefined;
    const conditions = this.#conditions(value);
    const row = this.#row(values);
    const parents = this.#parents(restrictions, row);
    const rows = await this.#changed(session, { conditions, expected, restrictions, parents, row, values });
    if (rows === undefined) return undefined;
    const [written] = rows;
    // There may be a record in another version, or the new parent is none to see.
    if (written !== undefined || expected !== undefined || parents.length > 0) return written;
    // What follows a change is judged without one, too.
    if (this.#following.areAsked) return undefined;
    // Nothing was changed: the record has these values already, or there is none.
    const found = await this.use.reading.find(session, conditions, nothing);
    if (found === undefined) throw new NotFound();
    return found;
  }

  /** The records that were changed; undefined where the database refuses the values, or some are not known. */
  #changed(
    session: Session,
    { conditions: asked, expected, restrictions, parents, row, values: all }: Change,
  ): Promise<readonly Row[] | undefined> | readonly Row[] | undefined {
    const { areThere } = this.#following;
    const values = areThere ? this.#following.without(all) : all;
    const following = areThere ? this.#following.among(all) : noValues;
    if (values.size === 0) return nothing;
    if (!this.#filled.update(row)) return undefined;
    if (!isKeptWithin(restrictions.get(this.model.meta), row, false)) return undefined;
    const version = expected?.condition;
    const conditions = version === undefined ? asked : [...asked, version];
    const shape = ['update'];
    if (parents.length > 0) shape.push(...wordsOf(parents));
    for (const { name } of following.keys()) shape.push(`along ${name}`);
    for (const [{ name }, value] of values) shape.push(`${name} ${value === null}`);
    const asks = valuesOf(conditions, shape);
    const statement = this.#statement(shape, restrictions, () => {
      const { dialect, tables } = this.database;
      const { updated, counted } = this.#filled;
      const along = [...[...following.keys()].map(({ property }) => property), ...updated];
      const changed = [...values].map(([column, value]) => ({ column, isNull: value === null }));
      const target = { ...this.#written, restrictions, parents };
      return WriteStatement.update(dialect, tables, target, { changed, along, counted }, conditions);
    });
    return this.#sent(session, statement, { row, sent: values, values: asks, restrictions });
  }

  /** Undefined where only the unit of work can tell. @throws NotFound */
  async #deleted(session: Session, { value, expected }: WriteTarget): Promise<true | undefined> {
    const known = isPossible(expected) ? this.#restrictions(session) : undefined;
    const restrictions = known instanceof Promise ? await known : known;
    if (restrictions === undefined) return undefined;
    const version = expected?.condition;
    const asked = this.#conditions(value);
    const conditions = version === undefined ? asked : [...asked, version];
    const { dialect, tables } = this.database;
    const { model } = this;
    const shape = ['delete'];
    const values = valuesOf(conditions, shape);
    const statement = this.#statement(shape, restrictions, () =>
      WriteStatement.delete(
        dialect,
        tables,
        { model, columns: [], restrictions, parents: nothing },
        conditions,
      ),
    );
    const rows = await this.#sent(session, statement, { values, restrictions });
    if (rows === undefined || (rows.length === 0 && expected !== undefined)) return undefined;
    if (rows.length === 0) throw new NotFound();
    return true;
  }

  /** The records that the request may see of those a write is about; undefined where it must go through MikroORM. */
  #restrictions(session: Session): Restrictions | undefined | Promise<Restrictions | undefined> {
    // Listeners may come and go.
    const isOpen = !this.use.listeners.isHeard && this.#way.isOpen(session);
    if (isOpen === false) return undefined;
    if (isOpen === true) return session.restrictionsOf(this.#way.entities);
    return isOpen.then((opens) => (opens ? session.restrictionsOf(this.#way.entities) : undefined));
  }

  /** The parents of a row that may be hidden from the request: the statement itself must see them. */
  #parents(restrictions: Restrictions, row: RowValues): readonly WrittenParent[] {
    if (restrictions.size === 0) return nothing;
    return this.#way.parents.filter(({ property, parent }) => {
      const key = row.get(property);
      return key !== undefined && key !== null && restrictions.has(parent.meta);
    });
  }

  /** Undefined when the database refuses the values. */
  #sent(
    session: Session,
    statement: Statement,
    inputs: StatementInputs,
  ): Promise<readonly Row[] | undefined> {
    return session.write(statement, inputs).catch((error: unknown) => {
      if (!isAboutValues(databaseReason(error))) throw error;
      return undefined;
    });
  }

  #conditions(value: unknown): readonly Condition[] {
    const { lookup, conditions } = this.use;
    return lookup === undefined ? conditions : [{ path: lookup, comparison: '=', value }, ...conditions];
  }

  #row(values: ColumnValues): RowValues {
    const { dialect } = this.database;
    const row: RowValues = new Map();
    for (const [{ property, type }, value] of values)
      row.set(property, value === null ? null : dialect.bind(type.toDatabase(value)));
    return row;
  }

  #statement(shape: readonly string[], restrictions: Restrictions, write: () => Statement): Statement {
    return this.#statements.get(this.database.tables, shape, restrictions, nothing, write);
  }
}

/** True if a record can be in one of the versions. */
function isPossible(expected: WriteTarget['expected']): boolean {
  return expected === undefined || expected.condition !== undefined;
}

/** The unit of work finds out what is wrong with them. */
function isAboutValues(reason: DatabaseReason | undefined): boolean {
  return reason !== undefined && reason !== 'unavailable' && reason !== 'transient';
}

/** The values of conditions, whose words are added to the shape of their statement. */
function valuesOf(conditions: readonly Condition[], shape: string[]): readonly unknown[] {
  const values: unknown[] = [];
  shape.push('where');
  for (const { path, comparison, value } of conditions) {
    shape.push(`${path.text} ${comparison}`);
    values.push(value);
  }
  return values;
}

function wordsOf(parents: readonly WrittenParent[]): string[] {
  return parents.map(({ property }) => `within ${property.name}`);
}
