import { RecentEntries } from '../limits/recent.entries.js';
import type { Restrictions, Fragment } from './restriction.js';
import type { Statement } from './statement.js';
import type { TableSql } from './table.sql.js';

/** The most shapes of one use that are kept; a client chooses among sorts and conditions only. */
const keptShapes = 500;

/**
 * The most shapes that are prepared. Beyond that, a shape takes the place of the one that was not used for the longest
 * time, and only when it comes again. A client that tries all shapes has none of them prepared. What is prepared anew
 * every few times is so from the second time on.
 */
const preparedShapes = 50;

interface Kept {
  readonly statement: Statement;
  /** The statement for sending it whole each time; undefined where the statement is never prepared. */
  readonly whole: Statement | undefined;
}

/** Keeps finished statements by what they look like: a request only brings values. */
export class StatementCache {
  readonly #kept = new RecentEntries<string, Kept>(keptShapes);
  readonly #prepared = new RecentEntries<string, true>(preparedShapes);

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
    const key = keyOf(tables, shape, restrictions, narrowed);
    const known = this.#kept.get(key);
    if (known === undefined) return this.#written(key, write());
    const { statement, whole } = known;
    if (whole !== undefined && this.#prepared.get(key) === undefined) this.#prepared.set(key, true);
    return statement;
  }

  #written(key: string, statement: Statement): Statement {
    const { preparation } = statement;
    const whole: Statement | undefined =
      preparation === 'none' ? undefined : { ...statement, preparation: 'none' };
    this.#kept.set(key, { statement, whole });
    if (whole === undefined) return statement;
    if (preparation === 'renewed' || this.#prepared.size >= preparedShapes) return whole;
    this.#prepared.set(key, true);
    return statement;
  }
}

/** Distinct statements have distinct keys. Whatever a statement's text depends on beside its use goes in here. */
function keyOf(
  tables: TableSql,
  shape: readonly string[],
  restrictions: Restrictions,
  narrowed: readonly Fragment[],
): string {
  const parts = [tables.key, ...shape];
  for (const [{ className }, { shape: limits }] of restrictions) parts.push(className, limits);
  for (const { sql } of narrowed) parts.push(sql);
  return parts.join('\n');
}
