import type { EntityMetadata } from '@mikro-orm/core';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { keysOf, unrestricted } from '../sql/restrictions.js';
import type { Fragment, Restrictions } from '../sql/statement.js';

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
