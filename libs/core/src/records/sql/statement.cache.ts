import type { Fragment, Restrictions, Statement } from './statement.js';
import type { TableSql } from './table.sql.js';

/** How many shapes of one endpoint's statements are kept; a client chooses among sorts and conditions only. */
const keptStatements = 500;

/** Keeps finished statements by what they look like: a request only brings values. */
export class StatementCache {
  readonly #statements = new Map<string, Statement>();

  /**
   * @param tables where the statements look; each schema has statements of its own
   * @param shape what tells statements of one use apart: names of the configuration and operators
   * @param restrictions and {@link narrowed}: their texts are part of the statement's
   */
  get(
    tables: TableSql,
    shape: readonly string[],
    restrictions: Restrictions,
    narrowed: readonly Fragment[],
    write: () => Statement,
  ): Statement {
    const parts = [tables.key, ...shape];
    for (const [{ className }, { sql }] of restrictions) parts.push(className, sql);
    for (const { sql } of narrowed) parts.push(sql);
    const key = parts.join('\n');
    const known = this.#statements.get(key);
    if (known !== undefined) return known;
    const statement = write();
    if (this.#statements.size >= keptStatements) this.#statements.clear();
    this.#statements.set(key, statement);
    return statement;
  }
}
