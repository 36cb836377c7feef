import type { EntityMetadata } from '@mikro-orm/core';
import type { SqlEntityManager } from '@mikro-orm/sql';
import type { Fragment } from './statement.js';

/** Which records of an entity a request may see: a sub-select of their keys. No entry means all. */
export type Restrictions = ReadonlyMap<EntityMetadata, Fragment>;

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
    const query = em
      .createQueryBuilder(meta.class)
      .select(meta.primaryKeys as never)
      .where(condition as never)
      .toQuery();
    restrictions ??= new Map();
    restrictions.set(meta, { sql: query.sql, parameters: query.params });
  }
  return restrictions ?? unrestricted;
}
