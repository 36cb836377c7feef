import type { EntityMetadata } from '@mikro-orm/core';
import type { Column } from '../model/column.js';
import type { Model } from '../model/model.js';
import { criteriaValues, inOneOrder, isGroup, relationUses } from '../query/criterion.js';
import type { Condition, Criterion, ListPlan, Selection } from '../query/query.plan.js';
import type { Database } from '../database/database.js';
import { entitiesOf, PageReader, shaped } from './page.reader.js';
import type { RecordKey, RecordReading, RowPage } from './record.store.js';
import { conditionWords } from '../sql/condition.writer.js';
import type { Row, RowLayout } from '../sql/row.layout.js';
import { ToldRow } from './writes/told.row.js';
import { SelectionReader } from './selection.reader.js';
import type { Session } from '../visibility/session.js';
import { SelectStatement } from '../sql/select.statement.js';
import { StatementCache } from '../sql/statement.cache.js';
import type { Fragment, Restrictions } from '../sql/restriction.js';
import type { Statement } from '../sql/statement.js';
import type { TableSql } from '../sql/table.sql.js';

const nothing: readonly Fragment[] = [];

/** The facts by which one record is found. */
interface Asked {
  readonly conditions: ListPlan['conditions'];
  /** Their values, in the order in which a statement takes them. */
  readonly values: readonly unknown[];
  readonly narrowed: readonly Fragment[];
  readonly restrictions: Restrictions;
  readonly isWritten?: boolean;
}

/** The last statement that found one record by plain conditions. */
interface LastFind {
  readonly tables: string;
  readonly conditions: readonly Condition[];
  /** The entities that the statement reads. */
  readonly entities: ReadonlySet<EntityMetadata>;
  /** The restrictions of it, of which only the shapes are part of the statement. */
  readonly restrictions: Restrictions;
  readonly isWritten: boolean;
  readonly statement: Statement;
}

/** Reads records of one endpoint: only what is readable, as rows, without entities. */
export class RecordReader implements RecordReading {
  readonly layout: RowLayout;
  #told: { readonly row: ToldRow | undefined } | undefined;
  readonly #selection: SelectionReader;
  readonly #entities: ReadonlySet<EntityMetadata>;
  readonly #pages: PageReader;
  /** The columns of which every value is one record's. */
  readonly #uniques: ReadonlySet<Column>;
  readonly #statements: StatementCache;
  #lastFind: LastFind | undefined;

  /**
   * @param statements for what a client chose to see; left out, each use has a cache of its own
   * @param isReferred whether {@link find} is for records that others refer to, which the endpoint is not about
   */
  constructor(
    private readonly database: Database,
    private readonly model: Model,
    private readonly selection: Selection,
    statements?: StatementCache,
    private readonly isReferred = false,
  ) {
    this.#statements = statements?.part('found') ?? new StatementCache();
    this.#selection = new SelectionReader(database, model, selection, statements);
    this.layout = this.#selection.layout;
    this.#entities = new Set(this.#selection.entities());
    this.#uniques = new Set([...model.columns.values()].filter((column) => model.isUnique(column)));
    this.#pages = new PageReader(database, model, this.#selection, this.#entities, statements?.part('paged'));
  }

  /** Made when somebody writes: most readers read alone. */
  get told(): ToldRow | undefined {
    const { database, model, selection, layout } = this;
    return (this.#told ??= { row: ToldRow.of(database, model, selection, layout) }).row;
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
    return this.#found(session, conditions, narrowed).then(first);
  }

  /** {@link find} for a record the request has just written: its own visibility is not asked, its parents' is. */
  async readBack(session: Session, id: unknown): Promise<Row | undefined> {
    const restrictions = await session.restrictionsOf(this.#entities);
    const written = this.told?.row(session, id, restrictions.get(this.model.meta));
    if (written !== undefined) return written;
    const conditions = [{ path: this.model.idPath, comparison: '=', value: id }] as const;
    const alike = valuesAlike(conditions, this.#lastFind) === undefined ? undefined : this.#lastFind;
    const asked = { conditions, values: [id], narrowed: nothing, restrictions, isWritten: true };
    return first(await this.#rows(session, asked, alike));
  }

  async readBackAll(session: Session, ids: readonly RecordKey[]): Promise<readonly Row[]> {
    if (ids.length === 0) return [];
    const restrictions = await session.restrictionsOf(this.#entities);
    const conditions = [{ path: this.model.idPath, comparison: 'in', value: ids }] as const;
    const asked = { conditions, values: [ids], narrowed: nothing, restrictions, isWritten: true };
    return this.#rows(session, asked);
  }

  async list(session: Session, plan: ListPlan, narrowed: readonly Fragment[] = nothing): Promise<RowPage> {
    const page = isLookup(plan, this.#uniques) ? await this.#lookedUp(session, plan, narrowed) : undefined;
    return page ?? this.#pages.read(session, plan, narrowed);
  }

  entitiesOf(plan: ListPlan): ReadonlySet<EntityMetadata> {
    return this.#pages.entitiesOf(plan);
  }

  /** The page of a search that can find one record only. Undefined where the database has more, against the metadata. */
  async #lookedUp(
    session: Session,
    { conditions, count }: ListPlan,
    narrowed: readonly Fragment[],
  ): Promise<RowPage | undefined> {
    const rows = await this.#found(session, inOneOrder(conditions), narrowed);
    const { length } = rows;
    if (length > 1) return undefined;
    return { rows, hasMore: false, last: undefined, total: count === 'none' ? undefined : length };
  }

  #found(
    session: Session,
    conditions: ListPlan['conditions'],
    narrowed: readonly Fragment[],
  ): Promise<readonly Row[]> {
    const plain = valuesAlike(conditions, this.#lastFind);
    const alike = plain === undefined ? undefined : this.#lastFind;
    const values = plain ?? criteriaValues(conditions);
    const known = session.restrictionsOf(
      alike?.entities ?? entitiesOf(this.#entities, relationUses(conditions)),
    );
    return known instanceof Promise
      ? known.then((restrictions) =>
          this.#rows(session, { conditions, values, narrowed, restrictions }, alike),
        )
      : this.#rows(session, { conditions, values, narrowed, restrictions: known }, alike);
  }

  /** @param alike the last find, where it was about the same conditions */
  #rows(session: Session, asked: Asked, alike?: LastFind): Promise<readonly Row[]> {
    const { values, narrowed, restrictions, isWritten = false } = asked;
    const { tables } = session;
    const isSame =
      alike?.tables === tables.key &&
      alike.isWritten === isWritten &&
      narrowed.length === 0 &&
      (alike.restrictions === restrictions || haveSameShapes(alike.restrictions, restrictions));
    const statement = isSame ? alike.statement : this.#statement(tables, asked);
    const found = session.run(statement, { values, restrictions, narrowed });
    if (this.layout.lists.length === 0) return found;
    return found.then((rows) => this.#selection.complete(session, rows, restrictions));
  }

  /** An endpoint looks records up by the same conditions every time, so the last statement is mostly the next one. */
  #statement(tables: TableSql, asked: Asked): Statement {
    const { conditions, restrictions, narrowed, isWritten = false } = asked;
    const { model, database, isReferred } = this;
    const { dialect } = database;
    const { columns } = this.layout;
    const shape = {
      model,
      columns,
      conditions: shaped(dialect, conditions),
      restrictions,
      narrowed,
      isWritten,
      isReferred,
    };
    const key = [isWritten ? 'written' : 'found', ...conditionWords(shape.conditions)];
    const statement = this.#statements.get(tables, key, restrictions, narrowed, () =>
      SelectStatement.rows(dialect, tables, shape),
    );
    // One that is sent whole is so for its first time only.
    if (narrowed.length > 0 || statement.preparation === 'none' || !arePlain(conditions)) return statement;
    const entities = entitiesOf(this.#entities, relationUses(conditions));
    this.#lastFind = { tables: tables.key, conditions, entities, restrictions, isWritten, statement };
    return statement;
  }
}

function first([row]: readonly Row[]): Row | undefined {
  return row;
}

/**
 * True if a unique value is asked for, so that the first page has all there is: one record, or none. One that tells how well it
 * meets a search is ranked, as in every page.
 */
function isLookup({ conditions, sorts, from, groupBy }: ListPlan, uniques: ReadonlySet<Column>): boolean {
  if (groupBy !== undefined || !('start' in from) || from.start > 0) return false;
  if (sorts.some(({ value }) => value !== undefined)) return false;
  for (const one of conditions) {
    if (isGroup(one)) continue;
    const { path, comparison } = one;
    if (comparison === '=' && path.relations.length === 0 && uniques.has(path.column)) return true;
  }
  return false;
}

/** True if statements that two of them restrict have the same text. No text is made to tell. */
function haveSameShapes(some: Restrictions, others: Restrictions): boolean {
  if (some.size !== others.size) return false;
  for (const [meta, { shape }] of some) if (others.get(meta)?.shape !== shape) return false;
  return true;
}

/** True if there is no group among criteria. */
function arePlain(criteria: readonly Criterion[]): criteria is readonly Condition[] {
  return !criteria.some(isGroup);
}

/**
 * The values of conditions that are about the same columns in the same way as those of the last find; undefined where they are
 * about others. Lists of values may differ in length.
 */
function valuesAlike(
  conditions: ListPlan['conditions'],
  last: LastFind | undefined,
): readonly unknown[] | undefined {
  if (last?.conditions.length !== conditions.length) return undefined;
  const values: unknown[] = [];
  for (const [index, { path, comparison }] of last.conditions.entries()) {
    // A group has no path.
    const one = conditions[index] as Partial<Condition>;
    if (one.path !== path || one.comparison !== comparison || Array.isArray(one.value)) return undefined;
    values.push(one.value);
  }
  return values;
}
