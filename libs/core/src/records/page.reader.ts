import type { EntityMetadata } from '@mikro-orm/core';
import type { ColumnPath, Model } from '../model/model.js';
import { criteriaValues, inOneOrder, isGroup, relationUses } from '../query/criterion.js';
import type { Criterion, ListPlan, PageFacts, PageStart } from '../query/query.plan.js';
import { conditionWords, type ShapedCriterion } from '../sql/condition.writer.js';
import type { Database } from '../database/database.js';
import type { Dialect } from '../sql/dialect.js';
import { placeOf, sortKeys } from '../sql/keyset.js';
import { plannedRows } from './distributed/planned.rows.js';
import type { RowPage } from './record.store.js';
import type { Row } from '../sql/row.layout.js';
import { keyText } from '../sql/row.writer.js';
import type { SelectionReader } from './selection.reader.js';
import type { Session } from '../visibility/session.js';
import type { PageShape, RecordsShape, SelectShape } from '../sql/select.shape.js';
import { SelectStatement } from '../sql/select.statement.js';
import { StatementCache } from '../sql/statement.cache.js';
import type { Fragment } from '../sql/restriction.js';
import type { Statement, StatementInputs } from '../sql/statement.js';
import type { TableSql } from '../sql/table.sql.js';

const nothing: readonly Fragment[] = [];

/** From here on it is cheaper to find the keys of a page before its records. */
const deepStart = 1000;

/** Reads pages of the records of one endpoint. */
export class PageReader {
  /** @param entities whose records are read, whatever a plan asks for */
  constructor(
    private readonly database: Database,
    private readonly model: Model,
    private readonly selection: SelectionReader,
    private readonly entities: ReadonlySet<EntityMetadata>,
    private readonly statements = new StatementCache(),
  ) {}

  async read(session: Session, plan: ListPlan, narrowed: readonly Fragment[]): Promise<RowPage> {
    const { sorts, groupBy, limit, isOwnLimit, from, readsCursor, count } = plan;
    const conditions = inOneOrder(plan.conditions);
    const { model } = this;
    const known = session.restrictionsOf(this.entitiesOf({ conditions, sorts, groupBy }));
    const restrictions = known instanceof Promise ? await known : known;
    const shape = shaped(this.database.dialect, conditions);
    const records: RecordsShape = { model, conditions: shape, restrictions, narrowed, groupBy, sorts };
    const values = criteriaValues(conditions);
    const inputs = { values, ranks: sorts, restrictions, narrowed, limit, ...from };
    const counts = count === 'exact' && this.database.dialect.countsWithPage;
    const after = 'after' in from ? from.after.map((value) => value === null) : undefined;
    const start = 'start' in from ? from.start : NaN;
    const size = isOwnLimit === true ? limit : undefined;
    const page = { after, size, isFirst: start === 0, isDeep: start >= deepStart, readsCursor, counts };
    const { columns } = this.selection.layout;
    const rows = await this.#rows(session, { ...records, columns, page }, inputs);
    const shown = rows.length > limit ? rows.slice(0, limit) : rows;
    const completed = this.selection.complete(session, shown, restrictions);
    const last = this.#cursor(plan, shown.at(-1));
    if (after !== undefined) expectProgress(from, last);
    return {
      rows: completed instanceof Promise ? await completed : completed,
      hasMore: rows.length > limit,
      last,
      total: await this.#total(session, plan, records, inputs, rows),
    };
  }

  /** Every entity whose restrictions count for a plan. */
  entitiesOf({
    conditions,
    sorts,
    groupBy,
  }: Pick<ListPlan, 'conditions' | 'sorts' | 'groupBy'>): ReadonlySet<EntityMetadata> {
    const grouped = groupBy === undefined ? [] : [{ path: groupBy }];
    return entitiesOf(this.entities, [...relationUses(conditions), ...sorts, ...grouped]);
  }

  #rows(session: Session, shape: SelectShape, inputs: StatementInputs): Promise<readonly Row[]> {
    const key = shapeKey('rows', shape, shape.page);
    return this.#run(session, key, shape, inputs, (dialect, tables) =>
      SelectStatement.rows(dialect, tables, shape),
    );
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
    const key = shapeKey('count', records);
    const [row] = await this.#run(session, key, records, inputs, (dialect, tables) =>
      SelectStatement.count(dialect, tables, records),
    );
    return Number(row?.[0]);
  }

  async #estimate(
    session: Session,
    records: RecordsShape,
    inputs: StatementInputs,
  ): Promise<number | undefined> {
    if (this.database.dialect.explain === undefined) return undefined;
    const key = shapeKey('estimate', records);
    const [row] = await this.#run(session, key, records, inputs, (dialect, tables) =>
      SelectStatement.estimate(dialect, tables, records),
    );
    return plannedRows(row?.[0]);
  }

  #cursor({ readsCursor, sorts }: ListPlan, row: Row | undefined): PageFacts['last'] {
    if (!readsCursor || row === undefined) return undefined;
    const { columns } = this.selection.layout;
    let next = columns.length;
    return sortKeys(this.model, sorts).map((key) =>
      cursorValue(row[placeOf(key, columns, this.database.dialect) ?? next++]),
    );
  }

  /** @param write writes the statement of a shape that was not there before */
  #run(
    session: Session,
    key: readonly string[],
    { restrictions, narrowed = nothing }: RecordsShape,
    inputs: StatementInputs,
    write: (dialect: Dialect, tables: TableSql) => Statement,
  ): Promise<readonly Row[]> {
    const { dialect } = this.database;
    const { tables } = session;
    const made = (): Statement => write(dialect, tables);
    return session.run(this.statements.get(tables, key, restrictions, narrowed, made), inputs);
  }
}

/** The conditions without their values. */
export function shaped(dialect: Dialect, conditions: readonly Criterion[]): ShapedCriterion[] {
  return conditions.map((one): ShapedCriterion => {
    if (isGroup(one)) return { ...one, members: shaped(dialect, one.members) };
    const { path, comparison, value } = one;
    return { path, comparison, listLength: Array.isArray(value) && !dialect.bindsLists ? value.length : 0 };
  });
}

/** The entities of a selection, and those that paths lead to. */
export function entitiesOf(
  selected: ReadonlySet<EntityMetadata>,
  uses: readonly { readonly path: Pick<ColumnPath, 'relations'> }[],
): ReadonlySet<EntityMetadata> {
  let entities: Set<EntityMetadata> | undefined;
  for (const { path } of uses)
    for (const { target, between } of path.relations) {
      (entities ??= new Set(selected)).add(target().meta);
      if (between !== undefined) entities.add(between);
    }
  return entities ?? selected;
}

/** True if an estimate, which counts all records of a table, counts none that are hidden from the viewer. */
function isPublic(
  session: Session,
  { meta }: Model,
  { restrictions, narrowed = nothing }: RecordsShape,
): boolean {
  return restrictions.size === 0 && narrowed.length === 0 && !session.isPrivate(meta);
}

/** Every part is a name of the configuration or a closed word, so distinct shapes have distinct keys. */
function shapeKey(
  use: 'rows' | 'count' | 'estimate',
  shape: RecordsShape,
  page?: SelectShape['page'],
): string[] {
  const { conditions, sorts = [], groupBy } = shape;
  return [
    use,
    ...conditionWords(conditions),
    'by',
    ...sorts.map(({ path, direction }) => `${path.text} ${direction}`),
    `group ${groupBy?.text ?? ''}`,
    page === undefined ? '' : pageWord(page),
  ];
}

function pageWord({ after, size, isFirst, isDeep, readsCursor, counts }: PageShape): string {
  const behind = after?.map(Number).join('') ?? '';
  return `after ${behind} of ${size ?? ''} ${isFirst} ${isDeep} ${readsCursor} ${counts}`;
}

/** Fails where a page ends with the record that it should begin behind: the pages behind it would have no end. */
function expectProgress(from: PageStart, last: PageFacts['last']): void {
  if (last === undefined || !('after' in from)) return;
  if (last.every((value, key) => value === from.after[key]))
    throw new Error(
      'A page ended with the record it began behind: the database does not compare a sort value as it wrote it',
    );
}

/** Numbers and texts are as the database has them; a driver may make a bigint of a long number. */
function cursorValue(value: unknown): string | number | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'number' || typeof value === 'string' ? value : keyText(value);
}
