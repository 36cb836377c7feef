import type { EntityMetadata } from '@mikro-orm/core';
import { QueryBuilder } from '@mikro-orm/sql';
import { isFilterObject } from '../database/plain.filter.js';

/** A query that a callable has adjusted, whatever it joined. */
export interface AdjustedQuery {
  /** Its SQL, with `?` for parameters. */
  toQuery(): { readonly sql: string; readonly params: readonly unknown[] };
}

/** A query over the records of an entity. */
export type RecordQuery = QueryBuilder<object>;

/**
 * Reads what a function of the user's makes of a query: the adjusted query itself, or a filter object to add to it.
 * @throws TypeError when it gives something else: an answer without it might show too much
 */
export function adjusted(
  query: RecordQuery,
  result: unknown,
  meta: EntityMetadata,
  { name, givesFilters = true }: { readonly name: string; readonly givesFilters?: boolean },
): RecordQuery {
  if (isQuery(result) && isOf(result, meta)) return result;
  if (givesFilters && isFilterObject(result)) {
    refuseUndefined(name, result);
    return query.andWhere(result as never);
  }
  throw new TypeError(`${name} must give the query${givesFilters ? ' or a filter object' : ''}`);
}

/**
 * Gives the query, which now takes no condition without a value: for MikroORM such a condition means null, or nothing at
 * all.
 * @param name whose conditions they are
 */
export function whole(query: RecordQuery, name: string): RecordQuery {
  const where = query.where.bind(query) as (...args: unknown[]) => unknown;
  const judged = (condition: unknown, ...more: unknown[]): unknown => {
    refuseUndefined(name, condition);
    return where(condition, ...more);
  };
  // `andWhere` and `orWhere` go through it, too.
  query.where = judged as never;
  return query;
}

/** @throws TypeError where a member of a filter object, however deep, has no value */
export function refuseUndefined(name: string, filter: unknown): void {
  const path = emptyMember(filter, []);
  if (path !== undefined) throw new TypeError(`${name} has no value for '${path.join('.')}'`);
}

function emptyMember(value: unknown, path: readonly string[]): readonly string[] | undefined {
  if (value === undefined && path.length > 0) return path;
  if (!Array.isArray(value) && !isFilterObject(value)) return undefined;
  for (const [member, inner] of Object.entries(value)) {
    const empty = emptyMember(inner, [...path, member]);
    if (empty !== undefined) return empty;
  }
  return undefined;
}

/** True if a value is a query of MikroORM. */
export function isQuery(entry: unknown): entry is RecordQuery {
  return entry instanceof QueryBuilder;
}

/** The limit and offset that a query has itself. */
export function boundsOf({ state }: RecordQuery): {
  readonly limit: number | undefined;
  readonly offset: number;
} {
  return { limit: state.limit, offset: state.offset ?? 0 };
}

/** True if a query is over these records; keys of others would be taken for theirs. */
function isOf({ mainAlias }: RecordQuery, { root }: EntityMetadata): boolean {
  return mainAlias.meta.root === root;
}
