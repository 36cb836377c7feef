import type { EntityMetadata } from '@mikro-orm/core';
import type { Fragment } from '../sql/restriction.js';

/** The part of MikroORM's query builder that keys need. */
interface KeyQuery {
  select(fields: never): { toQuery(): { readonly sql: string; readonly params: readonly unknown[] } };
}

/** The sub-select of the keys that a query of MikroORM finds. */
export function keysOf(query: KeyQuery, meta: EntityMetadata): Fragment {
  const { sql, params } = query.select(meta.primaryKeys as never).toQuery();
  return { sql, parameters: params };
}
