import { RecentEntries } from '../limits/recent.entries.js';
import type { Restrictions, Fragment } from './restriction.js';
import type { Statement } from './statement.js';
import type { TableSql } from './table.sql.js';

/** The most shapes of one use that are kept; a client chooses among sorts and conditions only. */
const keptShapes = 500;

/**
 * The number of shapes that are prepared at once. Any other is prepared when it comes again, and so is what is prepared anew
 * every few times: a client that tries all shapes has few of them prepared.
 */
const preparedShapes = 50;

/**
 * Keeps finished statements by what they look like: a request only brings values. The one that was not used for longest goes
 * when there are too many.
 */
export class StatementCache {
  /** The number of shapes that may still be prepared at once. */
  #atOnce: number;

  /** @param prefix what tells the keys of a part from those of others */
  constructor(
    private readonly kept = new RecentEntries<string, Statement>(keptShapes),
    private readonly prefix = '',
    atOnce = preparedShapes,
  ) {
    this.#atOnce = atOnce;
  }

  /**
   * Gives a part of the cache, for statements of one use: it has keys of its own, and the room of the whole. None of its
   * statements is prepared before it comes again.
   */
  part(use: string): StatementCache {
    return new StatementCache(this.kept, `${this.prefix}${use}\n`, 0);
  }

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
    const key = keyOf(this.prefix + tables.key, shape, restrictions, narrowed);
    return this.kept.get(key) ?? this.#first(key, write());
  }

  /** A statement as it is sent the first time. */
  #first(key: string, statement: Statement): Statement {
    this.kept.set(key, statement);
    const isAtOnce = statement.preparation === 'kept' && this.#atOnce > 0;
    if (!isAtOnce) return { ...statement, preparation: 'none' };
    this.#atOnce -= 1;
    return statement;
  }
}

/** Distinct statements have distinct keys. Whatever a statement's text depends on beside its use goes in here. */
function keyOf(
  place: string,
  shape: readonly string[],
  restrictions: Restrictions,
  narrowed: readonly Fragment[],
): string {
  const parts = [place, ...shape];
  for (const [{ className }, { shape: limits }] of restrictions) parts.push(className, limits);
  for (const { sql } of narrowed) parts.push(sql);
  return parts.join('\n');
}
