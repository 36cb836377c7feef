import type { ColumnPath } from '../model/model.js';
import { CriteriaWriter, joinsOf } from './condition.writer.js';
import type { Dialect } from './dialect.js';
import {
  apartFromIndexes,
  heldKeys,
  isOneComparison,
  placeOf,
  rowBehind,
  segmentsBehind,
  sortKeys,
  type Segment,
  type SortKey,
} from './keyset.js';
import { Scope, type Draft } from './scope.js';
import {
  isCountedAlong,
  isLookup,
  preparationOf,
  type PageShape,
  type RecordsShape,
  type SelectShape,
} from './select.shape.js';
import { StatementWriter, type Statement } from './statement.js';
import type { TableSql } from './table.sql.js';

/** The name of a page within its statement. It hides a table of the same name, so it is one that no table has. */
const pageName = '*page';

/** The additions of a select to its columns and conditions. */
interface Part {
  readonly readsCursor?: boolean;
  /** The segment behind a cursor; `row` compares all keys at once. */
  readonly behind?: Segment | 'row';
  /** The page whose keys are found first. */
  readonly keysFirst?: PageShape | undefined;
  /** True if each row brings the number of all records, `total`. */
  readonly counts?: boolean;
}

/** Writes `select … from … where …` over the records that meet the conditions. @param uses the columns of the list */
export type MatchesWriter = (uses: readonly ColumnPath[], list: (scope: Scope) => string) => void;

/** Writes the statements that read records of a model. Columns are aliased `c0`, `c1`, … in their order. */
export class SelectStatement {
  readonly #writer: StatementWriter;
  readonly #draft: Draft;

  private constructor(
    private readonly dialect: Dialect,
    tables: TableSql,
    private readonly shape: RecordsShape,
  ) {
    this.#writer = new StatementWriter(dialect);
    this.#draft = { writer: this.#writer, tables, restrictions: shape.restrictions };
  }

  static rows(dialect: Dialect, tables: TableSql, shape: SelectShape): Statement {
    const statement = new SelectStatement(dialect, tables, shape);
    const { page } = shape;
    if (page === undefined) statement.#writeSelect(shape.columns, {});
    else if (!page.counts || isCountedAlong(shape, page)) statement.#writePage(shape, page);
    else statement.#writeCountedPage(shape, page);
    return statement.#finish(shape.columns);
  }

  /** The number of records, as `total`. */
  static count(dialect: Dialect, tables: TableSql, shape: RecordsShape): Statement {
    const statement = new SelectStatement(dialect, tables, shape);
    statement.#writeCount();
    return statement.#finish([]);
  }

  /** The groups of the records, a row for each. @param write writes them around the records that meet the conditions */
  static groups<Shape extends RecordsShape>(
    dialect: Dialect,
    tables: TableSql,
    shape: Shape,
    write: (writer: StatementWriter, shape: Shape, matches: MatchesWriter) => void,
  ): Statement {
    const statement = new SelectStatement(dialect, tables, shape);
    write(statement.#writer, shape, (uses, list) => {
      statement.#writeMatches(list, uses);
    });
    return statement.#writer.finish({ preparation: preparationOf(shape) });
  }

  /** Writes a statement for the planner's estimate of the number of records, where the dialect can explain. */
  static estimate(dialect: Dialect, tables: TableSql, shape: RecordsShape): Statement {
    const statement = new SelectStatement(dialect, tables, shape);
    const { groupBy } = shape;
    statement.#writer.write(dialect.explain ?? '');
    statement.#writeMatches((scope) => (groupBy === undefined ? '1' : `distinct ${scope.value(groupBy)}`));
    return statement.#writer.finish();
  }

  #finish(columns: readonly ColumnPath[]): Statement {
    const needsDriver = columns.some(({ column }) => column.conversion !== undefined);
    return this.#writer.finish({
      preparation: preparationOf(this.shape),
      isLookup: isLookup(this.shape),
      needsDriver,
    });
  }

  #writeCountedPage(shape: SelectShape, page: PageShape): void {
    const name = this.dialect.quote(pageName);
    const writer = this.#writer.write(`with ${name} as (`);
    this.#writePage(shape, page);
    writer.write(`) select ${name}.*, `);
    // Behind a cursor a page that is not full tells nothing about what was before it.
    const isTold = page.after === undefined;
    if (isTold) {
      const limit = page.size ?? writer.parameter((inputs) => inputs.limit);
      writer.write(`case when (select count(*) from ${name}) > ${limit} then `);
    }
    writer.write('(');
    this.#writeCount();
    writer.write(`)${isTold ? ' end' : ''} as total from ${name}`);
  }

  #writeCount(): void {
    const { groupBy } = this.shape;
    this.#writeMatches((scope) => {
      if (groupBy === undefined) return 'count(*) as total';
      const value = scope.value(groupBy);
      return `count(distinct ${value}) + count(distinct case when ${value} is null then 1 end) as total`;
    });
  }

  #writePage(shape: SelectShape, page: PageShape): void {
    const { after, readsCursor, isDeep } = page;
    if (after === undefined) {
      const keysFirst = isDeep && shape.groupBy === undefined ? page : undefined;
      this.#writeSelect(shape.columns, { readsCursor, keysFirst, counts: isCountedAlong(shape, page) });
      if (keysFirst === undefined) this.#writeCut(page);
      return;
    }
    const keys = this.#keys();
    const segments = isOneComparison(keys) ? [] : segmentsBehind(keys, after);
    if (segments.length > 1) this.#writeSegments(shape, page, segments);
    else {
      this.#writeSelect(shape.columns, { readsCursor, behind: segments[0] ?? 'row' });
      this.#writer.write(` limit ${this.#fetched(page)}`);
    }
  }

  /**
   * The segments one after the other, each in its order: a later one is only read when those before it do not fill
   * the page. An append keeps the order of its parts, because no parallel worker takes a sub-select with a limit.
   */
  #writeSegments({ columns }: SelectShape, page: PageShape, segments: readonly Segment[]): void {
    const { readsCursor } = page;
    const writer = this.#writer.write('select * from (');
    for (const [index, behind] of segments.entries()) {
      writer.write(`${index === 0 ? '' : ' union all '}select * from (`);
      this.#writeSelect(columns, { readsCursor, behind });
      writer.write(` limit ${this.#fetched(page)}) as part${index}`);
    }
    writer.write(`) as parts limit ${this.#fetched(page)}`);
  }

  /** Writes the records with their columns, in order. */
  #writeSelect(columns: readonly ColumnPath[], part: Part): void {
    const { readsCursor = false, behind, keysFirst } = part;
    const { sorts = [], groupBy } = this.shape;
    const scope = this.#scope();
    scope.reserve([...columns, ...sorts.map(({ path }) => path)]);
    if (groupBy === undefined && keysFirst === undefined) scope.reserve(joinsOf(this.shape.conditions));
    const sorted = this.#keys();
    const keys = sorted.map(({ path }, position) => scope.rank(path, position));
    const list = columns.map((path, index) => `${scope.output(path)} as c${index}`);
    if (readsCursor)
      for (const [index, key] of sorted.entries())
        if (placeOf(key, columns, this.dialect) === undefined)
          list.push(`${this.dialect.asCursor(keys[index] ?? '')} as k${index}`);
    this.#writer.write(`select ${list.join(', ')}`);
    if (part.counts === true) {
      this.#writer.write(', (');
      this.#writeCount();
      this.#writer.write(') as total');
    }
    this.#writer.write(` from ${scope.table}`);
    scope.writeJoins();
    const glue = this.#writeWhich(scope, keysFirst);
    if (behind !== undefined) this.#writeBehind(keys, behind, glue);
    if (this.shape.sorts !== undefined)
      this.#writer.write(` order by ${this.#order(scope, behind === undefined ? 0 : heldKeys(behind))}`);
  }

  /** Writes which records are read. @returns the word with which the next condition begins */
  #writeWhich(scope: Scope, keysFirst: PageShape | undefined): string {
    const { groupBy } = this.shape;
    if (keysFirst !== undefined) return this.#writeKeys(scope, keysFirst);
    return groupBy === undefined ? this.#writeWhere(scope) : this.#writeGrouped(scope, groupBy);
  }

  /** Keeps the records of the page. An index over the order knows their keys, and nothing else is read before it. */
  #writeKeys(scope: Scope, page: PageShape): string {
    const { conditions, sorts = [] } = this.shape;
    const inner = this.#scope();
    inner.reserve([...joinsOf(conditions), ...sorts.map(({ path }) => path)]);
    const [begin, end] = this.dialect.within;
    this.#writer.write(` where ${scope.key} in ${begin}select ${inner.key} from ${inner.table}`);
    inner.writeJoins();
    this.#writeWhere(inner);
    this.#writer.write(` order by ${this.#order(inner)}`);
    this.#writeCut(page);
    this.#writer.write(end);
    return scope.writeLimits(' and ', { isWritten: true });
  }

  #writeCut(page: PageShape): void {
    const writer = this.#writer.write(` limit ${this.#fetched(page)}`);
    if (!page.isFirst) writer.write(` offset ${writer.parameter(({ start }) => start)}`);
  }

  /** Writes `select … from … where …` over all records that meet the conditions, with no more joins than these need. */
  #writeMatches(list: (scope: Scope) => string, uses: readonly ColumnPath[] = []): void {
    const { conditions, groupBy } = this.shape;
    const scope = this.#scope();
    scope.reserve([...joinsOf(conditions), ...(groupBy === undefined ? uses : [groupBy])]);
    this.#writer.write(`select ${list(scope)} from ${scope.table}`);
    scope.writeJoins();
    this.#writeWhere(scope);
  }

  /** Writes the conditions. @returns the word with which the next condition begins */
  #writeWhere(scope: Scope): string {
    let glue = new CriteriaWriter(scope).write(this.shape.conditions, ' where ');
    const [begin, end] = this.dialect.within;
    for (const [index, { sql }] of (this.shape.narrowed ?? []).entries()) {
      this.#writer.write(`${glue}${scope.keys} in ${begin}`);
      this.#writer.fragment(sql, ({ narrowed }) => narrowed?.[index]).write(end);
      glue = ' and ';
    }
    return scope.writeLimits(glue, this.shape);
  }

  /** Keeps the first record of every group, in the order of the sorts. */
  #writeGrouped(scope: Scope, groupBy: ColumnPath): string {
    const { conditions, sorts = [] } = this.shape;
    const inner = this.#scope();
    inner.reserve([...joinsOf(conditions), groupBy, ...sorts.map(({ path }) => path)]);
    this.#writer.write(` where ${scope.key} in (select id from (select ${inner.key} as id, `);
    this.#writer.write(`row_number() over (partition by ${inner.value(groupBy)} `);
    this.#writer.write(`order by ${this.#order(inner)}) as nth from ${inner.table}`);
    inner.writeJoins();
    this.#writeWhere(inner);
    this.#writer.write(') as grouped where nth = 1)');
    return scope.writeLimits(' and ', { isWritten: true });
  }

  /** Another `from` of the statement over the records that it is for. */
  #scope(): Scope {
    return new Scope(this.#draft, this.shape.model, this.shape.isReferred);
  }

  #writeBehind(keys: readonly string[], behind: Segment | 'row', glue: string): void {
    const { fromCursor } = this.dialect;
    const value = (key: number): string =>
      this.#writer.parameter(
        fromCursor === undefined
          ? ({ after }) => after?.[key]
          : ({ after }) => fromCursor(after?.[key] ?? null),
      );
    this.#writer.write(glue);
    if (behind === 'row') {
      this.#writer.write(
        this.dialect.comparesRows
          ? `(${keys.join(', ')}) > (${keys.map((_, key) => value(key)).join(', ')})`
          : rowBehind(keys, value),
      );
      return;
    }
    const tests = behind.map(({ key, test }) =>
      test.startsWith('is') ? `${keys[key]} ${test}` : `${keys[key]} ${test} ${value(key)}`,
    );
    this.#writer.write(tests.join(' and '));
  }

  #keys(): SortKey[] {
    return sortKeys(this.shape.model, this.shape.sorts ?? []);
  }

  /** @param held how many keys are the same in all records, so that an order by them would say nothing */
  #order(scope: Scope, held = 0): string {
    const keys = this.#keys().map(({ path, direction, isNullable }, position) => {
      const key = scope.rank(path, position);
      const isFirst = position === 0 && path.column.type.search === undefined;
      const sorted = isFirst && this.#writer.isSearched ? apartFromIndexes(key) : key;
      return this.dialect.order(sorted, direction, isNullable);
    });
    return keys.slice(held).join(', ');
  }

  #fetched({ size }: PageShape): string {
    return size === undefined ? this.#writer.parameter(({ limit = 0 }) => limit + 1) : String(size + 1);
  }
}
