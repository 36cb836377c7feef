import type { Column } from '../../model/column.js';
import type { Condition } from '../../query/query.plan.js';
import type { Statement } from '../statement.js';
import type { TableSql } from '../table.sql.js';

/** A change whose statement depends on nothing else: no rule restricts it, and no log is told of it. */
export interface PlainChange {
  readonly tables: TableSql;
  readonly values: ReadonlyMap<Column, unknown>;
  readonly conditions: readonly Condition[];
}

/** The last statement of an endpoint that changed one record: clients change the same columns every time, mostly. */
export class LastChange {
  #tables: TableSql | undefined;
  #conditions: readonly Condition[] = [];
  #columns: readonly Column[] = [];
  /** True of each column that becomes null. */
  #areNull: readonly boolean[] = [];
  #statement: Statement | undefined;

  /** The statement, where the change is like the last one; undefined where it is another. */
  statementFor({ tables, values, conditions }: PlainChange): Statement | undefined {
    if (tables !== this.#tables || values.size !== this.#columns.length) return undefined;
    if (conditions.length !== this.#conditions.length) return undefined;
    for (const [index, { path, comparison }] of conditions.entries()) {
      const known = this.#conditions[index];
      if (known?.path !== path || known.comparison !== comparison) return undefined;
    }
    let index = 0;
    for (const [column, value] of values) {
      if (column !== this.#columns[index] || (value === null) !== this.#areNull[index]) return undefined;
      index += 1;
    }
    return this.#statement;
  }

  keep({ tables, values, conditions }: PlainChange, statement: Statement): void {
    // One that is sent whole is so for its first time only.
    if (statement.preparation === 'none') return;
    this.#tables = tables;
    // Their values are the request's.
    this.#conditions = conditions.map((condition) => ({ ...condition, value: undefined }));
    this.#columns = [...values.keys()];
    this.#areNull = [...values.values()].map((value) => value === null);
    this.#statement = statement;
  }
}
