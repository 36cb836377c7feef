import type { EntityMetadata } from '@mikro-orm/core';
import type { SqlEntityManager } from '@mikro-orm/sql';
import type { Fragment, Restrictions } from './sql/statement.js';

export const unrestricted: Restrictions = new Map();

/**
 * The restrictions that MikroORM's filters put on a request, for every entity a statement touches. A filter may need
 * the request's parameters and any join, so it stays MikroORM's to translate: its conditions become a sub-select.
 */
export async function restrictionsOf(
  em: SqlEntityManager,
  entities: Iterable<EntityMetadata>,
): Promise<Restrictions> {
  let restrictions: Map<EntityMetadata, Fragment> | undefined;
  for (const meta of entities) {
    const condition: unknown = await em.applyFilters<object>(meta.class, undefined, {}, 'read');
    if (condition === undefined) continue;
    restrictions ??= new Map();
    restrictions.set(meta, keysOf(em.createQueryBuilder(meta.class).where(condition as never), meta));
  }
  return restrictions ?? unrestricted;
}

/** What keys need of MikroORM's query builder. */
interface KeyQuery {
  select(fields: never): { toQuery(): { readonly sql: string; readonly params: readonly unknown[] } };
}

/** The sub-select of the keys that a query of MikroORM finds. */
export function keysOf(query: KeyQuery, meta: EntityMetadata): Fragment {
  const { sql, params } = query.select(meta.primaryKeys as never).toQuery();
  return { sql, parameters: params };
}
