import type { EntityMetadata } from '@mikro-orm/core';
import type { ColumnPath, Model } from '../model/model.js';
import type { ListPlan, PageFacts, Selection } from '../query/query.plan.js';
import type { ShapedCondition } from '../sql/condition.writer.js';
import type { Database } from '../database/database.js';
import { sortKeys } from '../sql/keyset.js';
import { inOneOrder } from './condition.order.js';
import type { RecordReading, RowPage } from './record.store.js';
import type { Row, RowLayout } from '../sql/row.layout.js';
import { keyText } from '../sql/row.writer.js';
import { SelectionReader } from './selection.reader.js';
import type { Session } from '../visibility/session.js';
import { SelectStatement, type RecordsShape, type SelectShape } from '../sql/select.statement.js';
import { StatementCache } from '../sql/statement.cache.js';
import type { Fragment, Restrictions } from '../sql/restriction.js';
import type { Statement, StatementInputs } from '../sql/statement.js';
import type { TableSql } from '../sql/table.sql.js';

const nothing: readonly Fragment[] = [];

/** From here on it is cheaper to find the keys of a page before its records. */
const deepStart = 1000;

/** The facts by which one record is found. */
interface Asked {
  readonly conditions: ListPlan['conditions'];
  readonly narrowed: readonly Fragment[];
  readonly restrictions: Restrictions;
  readonly isWritten?: boolean;
}

/** The last statement that found one record. */
interface LastFind {
  readonly tables: string;
  readonly conditions: ListPlan['conditions'];
  /** The entities that the statement reads. */
  readonly entities: ReadonlySet<EntityMetadata>;
  /** The shape of what restricted it. */
  readonly limits: string;
  readonly statement: Statement;
}

/** Reads records of one endpoint: only what is readable, as rows, without entities. */
export class RecordReader implements RecordReading {
  readonly layout: RowLayout;
  readonly #selection: SelectionReader;
  readonly #entities: ReadonlySet<EntityMetadata>;
  readonly #statements = new StatementCache();
  #lastFind: LastFind | undefined;

  constructor(
    private readonly database: Database,
    private readonly model: Model,
    selection: Selection,
  ) {
    this.#selection = new SelectionReader(database, model, selection);
    this.layout = this.#selection.layout;
    this.#entities = new Set(this.#selection.entities());
  }

  /**
   * The record that meets the conditions; undefined when there is none.
   * @param narrowed sub-selects of keys that the record must be in
   */
  find(
    session: Session,
    conditions: ListPlan['conditions'],
    narrowed: readonly Fragment[] = nothing,
  ): Promise<Row | undefined> {
    const last = this.#lastFind;
    const alike = last !== undefined && isAlike(last.conditions, conditions) ? last : undefined;
    const known = session.restrictionsOf(alike?.entities ?? this.#entitiesOf(conditions));
    return known instanceof Promise
      ? known.then((restrictions) => this.#find(session, { conditions, narrowed, restrictions }, alike))
      : this.#find(session, { conditions, narrowed, restrictions: known }, alike);
  }

  /** {@link find} for a record the request has just written: its own visibility is not asked, its parents' is. */
  async readBack(session: Session, id: unknown): Promise<Row | undefined> {
    const restrictions = await session.restrictionsOf(this.#entities);
    const conditions = [{ path: this.model.idPath, comparison: '=', value: id }] as const;
    const last = this.#lastFind;
    const alike = last !== undefined && isAlike(last.conditions, conditions) ? last : undefined;
    return this.#find(session, { conditions, narrowed: nothing, restrictions, isWritten: true }, alike);
  }

  async list(session: Session, plan: ListPlan, narrowed: readonly Fragment[] = nothing): Promise<RowPage> {
    const { sorts, groupBy, limit, from, readsCursor, count } = plan;
    const conditions = inOneOrder(plan.conditions);
    const { model } = this;
    const paths = [...conditions, ...sorts, ...(groupBy === undefined ? [] : [{ path: groupBy }])];
    const restrictions = await session.restrictionsOf(this.#entitiesOf(paths));
    const shaped = this.#shaped(conditions);
    const records: RecordsShape = { model, conditions: shaped, restrictions, narrowed, groupBy, sorts };
    const values = conditions.map(({ value }) => value);
    const inputs = { values, restrictions, narrowed, limit, ...from };
    const counts = count === 'exact' && this.database.dialect.countsWithPage;
    const after = 'after' in from ? from.after.map((value) => value === null) : undefined;
    const isDeep = 'start' in from && from.start >= deepStart;
    const page = { after, isDeep, readsCursor, counts };
    const rows = await this.#rows(session, { ...records, columns: this.layout.columns, page }, inputs);
    const shown = rows.length > limit ? rows.slice(0, limit) : rows;
    const facts = { hasMore: rows.length > limit, last: this.#cursor(plan, shown.at(-1)) };
    return {
      rows: await this.#selection.complete(session, shown, restrictions),
      ...facts,
      total: await this.#total(session, plan, records, inputs, rows),
    };
  }

  /** @param alike the last find, where it was about the same conditions */
  #find(session: Session, asked: Asked, alike?: LastFind): Promise<Row | undefined> {
    const { conditions, narrowed, restrictions } = asked;
    const values: unknown[] = [];
    for (const { value } of conditions) values.push(value);
    const { tables } = session;
    const isSame = alike?.tables === tables.key && narrowed.length === 0 && alike.limits === limitsOf(asked);
    const statement = isSame ? alike.statement : this.#findStatement(tables, asked);
    const found = session.run(statement, { values, restrictions, narrowed }).then(first);
    return this.layout.lists.length === 0 ? found : this.#completed(session, found, restrictions);
  }

  async #completed(
    session: Session,
    found: Promise<Row | undefined>,
    restrictions: Restrictions,
  ): Promise<Row | undefined> {
    const row = await found;
    return row && (await this.#selection.complete(session, [row], restrictions))[0];
  }

  /** An endpoint looks records up by the same conditions every time, so the last statement is mostly the next one. */
  #findStatement(tables: TableSql, asked: Asked): Statement {
    const { conditions, restrictions, narrowed, isWritten = false } = asked;
    const { model, database } = this;
    const { dialect } = database;
    const { columns } = this.layout;
    const shape = { model, columns, conditions: this.#shaped(conditions), restrictions, narrowed, isWritten };
    const statement = this.#statements.get(tables, shapeKey('rows', shape), restrictions, narrowed, () =>
      SelectStatement.rows(dialect, tables, shape),
    );
    if (narrowed.length > 0) return statement;
    const entities = this.#entitiesOf(conditions);
    this.#lastFind = { tables: tables.key, conditions, entities, limits: limitsOf(asked), statement };
    return statement;
  }

  async #rows(session: Session, shape: SelectShape, inputs: StatementInputs): Promise<readonly Row[]> {
    const { dialect } = this.database;
    const { tables } = session;
    const { restrictions, narrowed = nothing } = shape;
    const statement = this.#statements.get(
      tables,
      shapeKey('rows', shape, shape.page),
      restrictions,
      narrowed,
      () => SelectStatement.rows(dialect, tables, shape),
    );
    return session.run(statement, inputs);
  }

  /** Counts the records, only where the page does not tell. */
  async #total(
    session: Session,
    { count, limit, from }: ListPlan,
    records: RecordsShape,
    inputs: StatementInputs,
    rows: readonly Row[],
  ): Promise<number | undefined> {
    if (count === 'none') return undefined;
    const start = 'start' in from ? from.start : undefined;
    const isEnd = rows.length <= limit && (rows.length > 0 || start === 0);
    if (start !== undefined && isEnd) return start + rows.length;
    const isCounted = count === 'exact' && this.database.dialect.countsWithPage;
    const counted = isCounted ? rows[0]?.at(-1) : undefined;
    if (counted !== undefined && counted !== null) return Number(counted);
    const isEstimated = count === 'estimated' && isPublic(session, this.model, records);
    const estimate = isEstimated ? await this.#estimate(session, records, inputs) : undefined;
    // There are at least as many as were seen.
    if (estimate !== undefined) return Math.max(estimate, (start ?? 0) + rows.length);
    const { dialect } = this.database;
    const { tables } = session;
    const { restrictions, narrowed = nothing } = records;
    const statement = this.#statements.get(tables, shapeKey('count', records), restrictions, narrowed, () =>
      SelectStatement.count(dialect, tables, records),
    );
    const [row] = await session.run(statement, inputs);
    return Number(row?.[0]);
  }

  async #estimate(
    session: Session,
    records: RecordsShape,
    inputs: StatementInputs,
  ): Promise<number | undefined> {
    const { dialect } = this.database;
    const { tables } = session;
    const { restrictions, narrowed = nothing } = records;
    if (dialect.explain === undefined) return undefined;
    const statement = this.#statements.get(
      tables,
      shapeKey('estimate', records),
      restrictions,
      narrowed,
      () => SelectStatement.estimate(dialect, tables, records),
    );
    const [row] = await session.run(statement, inputs);
    return plannedRows(row?.[0]);
  }

  #cursor({ readsCursor, sorts }: ListPlan, row: Row | undefined): PageFacts['last'] {
    if (!readsCursor || row === undefined) return undefined;
    const first = this.layout.columns.length;
    return sortKeys(this.model, sorts).map((_, index) => cursorValue(row[first + index]));
  }

  #shaped(conditions: ListPlan['conditions']): ShapedCondition[] {
    const { bindsLists } = this.database.dialect;
    return conditions.map(({ path, comparison, value }) => ({
      path,
      comparison,
      listLength: Array.isArray(value) && !bindsLists ? value.length : 0,
    }));
  }

  #entitiesOf(uses: readonly { readonly path: ColumnPath }[]): ReadonlySet<EntityMetadata> {
    for (const { path } of uses) if (path.relations.length > 0) return this.#withParents(uses);
    return this.#entities;
  }

  #withParents(uses: readonly { readonly path: ColumnPath }[]): ReadonlySet<EntityMetadata> {
    const entities = new Set(this.#entities);
    for (const { path } of uses) for (const { target } of path.relations) entities.add(target().meta);
    return entities;
  }
}

function first([row]: readonly Row[]): Row | undefined {
  return row;
}

/** True if an estimate, which counts all records of a table, counts none that are hidden from the viewer. */
function isPublic(
  session: Session,
  { meta }: Model,
  { restrictions, narrowed = nothing }: RecordsShape,
): boolean {
  return restrictions.size === 0 && narrowed.length === 0 && !session.isPrivate(meta);
}

/** Text that tells finds apart which are restricted in another way. */
function limitsOf({ restrictions, isWritten = false }: Asked): string {
  if (restrictions.size === 0) return '';
  let limits = isWritten ? 'written' : '';
  for (const [{ className }, { shape }] of restrictions) limits += `\n${className}\n${shape}`;
  return limits;
}

/** True if conditions are about the same columns in the same way; lists of values may differ in length. */
function isAlike(some: ListPlan['conditions'], others: ListPlan['conditions']): boolean {
  if (some.length !== others.length) return false;
  for (const [index, { path, comparison, value }] of some.entries()) {
    const other = others[index];
    if (path !== other?.path || comparison !== other.comparison || Array.isArray(value)) return false;
  }
  return true;
}

/** Every part is a name of the configuration or a closed word, so distinct shapes have distinct keys. */
function shapeKey(
  use: 'rows' | 'count' | 'estimate',
  shape: RecordsShape,
  page?: SelectShape['page'],
): string[] {
  const { conditions, sorts = [], groupBy, isWritten = false } = shape;
  return [
    use,
    isWritten ? 'written' : '',
    ...conditions.map(({ path, comparison, listLength = 0 }) => `${path.text} ${comparison} ${listLength}`),
    'by',
    ...sorts.map(({ path, direction }) => `${path.text} ${direction}`),
    `group ${groupBy?.text ?? ''}`,
    page === undefined
      ? ''
      : `after ${page.after?.map(Number).join('') ?? ''} ${page.isDeep} ${page.readsCursor} ${page.counts}`,
  ];
}

/** Numbers and texts are as the database has them; a driver may make a bigint of a long number. */
function cursorValue(value: unknown): string | number | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'number' || typeof value === 'string' ? value : keyText(value);
}

/** The number of rows in a plan of PostgreSQL, which a driver may hand over as text. */
function plannedRows(plan: unknown): number | undefined {
  const parsed: unknown = typeof plan === 'string' ? JSON.parse(plan) : plan;
  const [explained] = parsed as { readonly Plan?: { readonly 'Plan Rows'?: number } }[];
  return explained?.Plan?.['Plan Rows'];
}
