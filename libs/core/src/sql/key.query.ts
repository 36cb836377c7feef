import type { EntityMetadata } from '@mikro-orm/core';
import type { Fragment } from './statement.js';

/** The part of MikroORM's query builder that keys need. */
interface KeyQuery {
  select(fields: never): { toQuery(): { readonly sql: string; readonly params: readonly unknown[] } };
}

/** The sub-select of the keys that a query of MikroORM finds. */
export function keysOf(query: KeyQuery, meta: EntityMetadata): Fragment {
  const { sql, params } = query.select(meta.primaryKeys as never).toQuery();
  return { sql, parameters: params };
}

/** The keys that are in all of some sub-selects; undefined when there is no sub-select. */
export function inAll(fragments: readonly Fragment[]): Fragment | undefined {
  return together(fragments, 'intersect');
}

/** The keys that are in one of some sub-selects; none at all when there is no sub-select. */
export function inAny(fragments: readonly Fragment[]): Fragment {
  return together(fragments, 'union') ?? { sql: 'select null where 1 = 0', parameters: [] };
}

function together(fragments: readonly Fragment[], by: 'intersect' | 'union'): Fragment | undefined {
  const [first] = fragments;
  if (fragments.length < 2) return first;
  // Each stands in a `from`, where it may have an order and a limit of its own.
  const selects = fragments.map(({ sql }, index) => `select * from (${sql}) as k${index}`);
  return { sql: selects.join(` ${by} `), parameters: fragments.flatMap(({ parameters }) => parameters) };
}
