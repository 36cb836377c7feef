import type { Model } from '../../model/model.js';
import type { Condition } from '../../query/query.plan.js';
import { databaseReason, type DatabaseReason } from '../database.error.js';
import type { Database } from '../database.js';
import type { ColumnValues, DirectWriting, WriteUse } from '../record.store.js';
import { RecordReader } from '../record.reader.js';
import { unrestricted } from '../restriction.js';
import type { Row } from '../row.writer.js';
import type { Session } from '../session.js';
import { StatementCache } from '../sql/statement.cache.js';
import type { Statement, StatementInputs } from '../sql/statement.js';
import { FilledValues, type RowValues } from './filled.values.js';
import { guardedBy, WriteWay } from './write.way.js';
import { WriteStatement, type WriteTarget } from './write.statement.js';

const nothing: readonly [] = [];

/**
 * Writes records of one endpoint in one statement each, which also answers with the record. Whatever it does not know
 * it leaves to MikroORM's way, and so it does with what the database refuses: there the checks find out why.
 */
export class DirectWriter implements DirectWriting {
  readonly #way: WriteWay;
  readonly #filled: FilledValues;
  readonly #reader: RecordReader;
  readonly #statements = new StatementCache();

  constructor(
    private readonly database: Database,
    private readonly model: Model,
    { columns, lookup, selection }: WriteUse,
  ) {
    this.#way = new WriteWay(database, model, selection, guardedBy(model, columns, lookup));
    this.#filled = new FilledValues(model.meta, database.dialect);
    this.#reader = new RecordReader(database, model, selection);
  }

  async create(session: Session, values: ColumnValues): Promise<Row | undefined> {
    const row = this.#row(values);
    if (!(await this.#way.isOpen(session)) || !this.#filled.create(row)) return undefined;
    const statement = this.#statement(['insert', ...shapeOf(row)], (target) =>
      WriteStatement.insert(this.database.dialect, this.database.tables, target, [...row.keys()]),
    );
    const rows = await this.#sent(session, statement, { row });
    return rows?.[0];
  }

  async update(
    session: Session,
    conditions: readonly Condition[],
    values: ColumnValues,
    version?: Condition,
  ): Promise<'none' | Row | undefined> {
    const row = this.#row(values);
    if (!(await this.#way.isOpen(session))) return undefined;
    const asked = version === undefined ? conditions : [...conditions, version];
    const written = row.size === 0 ? nothing : await this.#changed(session, asked, values, row);
    if (written === undefined || (written.length === 0 && version !== undefined)) return undefined;
    // Nothing was changed: the record has these values already, or there is none.
    const [found = await this.#reader.find(session, conditions)] = written;
    return found ?? 'none';
  }

  async delete(session: Session, conditions: readonly Condition[]): Promise<boolean | undefined> {
    if (!(await this.#way.isOpen(session))) return undefined;
    const { dialect, tables } = this.database;
    const statement = this.#statement(['delete', ...conditions.map(wordOf)], () =>
      WriteStatement.delete(dialect, tables, this.model, conditions),
    );
    const rows = await this.#sent(session, statement, { values: conditions.map(({ value }) => value) });
    return rows === undefined ? undefined : rows.length > 0;
  }

  async #changed(
    session: Session,
    conditions: readonly Condition[],
    values: ColumnValues,
    row: RowValues,
  ): Promise<readonly Row[] | undefined> {
    const changed = [...values].map(([column, value]) => ({ column, isNull: value === null }));
    if (!this.#filled.update(row)) return undefined;
    const nulls = changed.map(({ column, isNull }) => `${column.name} ${isNull}`);
    const { dialect, tables } = this.database;
    const { updated: along, counted } = this.#filled;
    const statement = this.#statement(['update', ...nulls, 'where', ...conditions.map(wordOf)], (target) =>
      WriteStatement.update(dialect, tables, target, { changed, along, counted }, conditions),
    );
    const inputs = { row, sent: values, values: conditions.map(({ value }) => value) };
    return this.#sent(session, statement, inputs);
  }

  /** Undefined when the database refuses the values. */
  async #sent(
    session: Session,
    statement: Statement,
    inputs: StatementInputs,
  ): Promise<readonly Row[] | undefined> {
    try {
      return await session.write(statement, inputs);
    } catch (error) {
      if (!isAboutValues(databaseReason(error))) throw error;
      return undefined;
    }
  }

  #row(values: ColumnValues): RowValues {
    const { dialect } = this.database;
    const row: RowValues = new Map();
    for (const [{ property, type }, value] of values)
      row.set(property, value === null ? null : dialect.bind(type.toDatabase(value)));
    return row;
  }

  #statement(shape: readonly string[], write: (target: WriteTarget) => Statement): Statement {
    const target = { model: this.model, columns: this.#reader.layout.columns };
    return this.#statements.get(this.database.tables, shape, unrestricted, nothing, () => write(target));
  }
}

/** MikroORM's way finds out what is wrong with them. */
function isAboutValues(reason: DatabaseReason | undefined): boolean {
  return reason !== undefined && reason !== 'unavailable' && reason !== 'transient';
}

function shapeOf(row: RowValues): string[] {
  return [...row.keys()].map(({ name }) => name);
}

function wordOf({ path, comparison }: Condition): string {
  return `${path.text} ${comparison}`;
}
