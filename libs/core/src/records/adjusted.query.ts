import type { EntityMetadata } from '@mikro-orm/core';
import { QueryBuilder } from '@mikro-orm/sql';

/** A query that a callable has adjusted, whatever it joined. */
export interface AdjustedQuery {
  /** Its SQL, with `?` for parameters. */
  toQuery(): { readonly sql: string; readonly params: readonly unknown[] };
}

/** A query over the records of an entity. */
export type RecordQuery = QueryBuilder<object>;

/**
 * What a function of the user's makes of a query: the adjusted query itself, or a filter object to add to it.
 * @throws TypeError when it gives something else: an answer without it might show too much
 */
export function adjusted(
  query: RecordQuery,
  result: unknown,
  meta: EntityMetadata,
  { name, givesFilters = true }: { readonly name: string; readonly givesFilters?: boolean },
): RecordQuery {
  if (isQuery(result) && isOf(result, meta)) return result;
  if (givesFilters && isFilterObject(result)) return query.andWhere(result as never);
  throw new TypeError(`${name} must give the query${givesFilters ? ' or a filter object' : ''}`);
}

export function isFilterObject(entry: unknown): entry is object {
  if (typeof entry !== 'object' || entry === null) return false;
  const prototype: unknown = Object.getPrototypeOf(entry);
  return prototype === Object.prototype || prototype === null;
}

/** Whether a value is a query of MikroORM. */
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

/** Whether a query is over these records; keys of others would be taken for theirs. */
function isOf({ mainAlias }: RecordQuery, { root }: EntityMetadata): boolean {
  return mainAlias.meta.root === root;
}
