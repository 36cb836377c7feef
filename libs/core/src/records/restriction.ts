import { QueryHelper, type EntityManager, type EntityMetadata, type MikroORM } from '@mikro-orm/core';
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

/** Tells entities that filters hold for from others, at next to no cost for these. */
export class FilteredEntities {
  readonly #declared = new Map<EntityMetadata, boolean>();
  /** The entities for which nobody has added a filter to the global entity manager. */
  readonly #bare = new Set<EntityMetadata>();

  /** @param forked what requests fork from */
  constructor(
    private readonly orm: MikroORM,
    private readonly forked: { readonly origin: EntityManager },
  ) {
    const add = orm.em.addFilter.bind(orm.em);
    orm.em.addFilter = (options): void => {
      this.#bare.clear();
      add(options);
    };
  }

  /** Whether filters may hide records of one of these entities from a request. */
  haveSome(entities: ReadonlySet<EntityMetadata>): boolean | Promise<boolean> {
    if (this.forked.origin !== this.orm.em) return this.#areAsked(entities);
    for (const meta of entities) if (!this.#bare.has(meta)) return this.#areAsked(entities);
    return false;
  }

  async #areAsked(entities: ReadonlySet<EntityMetadata>): Promise<boolean> {
    for (const meta of entities) if (this.isDeclared(meta) || (await this.#isAdded(meta))) return true;
    return false;
  }

  /** Whether a filter of the entity or of MikroORM's options holds by default. */
  isDeclared(meta: EntityMetadata): boolean {
    const known = this.#declared.get(meta);
    if (known !== undefined) return known;
    const sources = [this.orm.config.get('filters'), meta.filters];
    const isDeclared = sources.some(
      (filters) => QueryHelper.getActiveFilters(meta, {}, filters as never).length > 0,
    );
    this.#declared.set(meta, isDeclared);
    return isDeclared;
  }

  /** Whether somebody has added one to the entity manager that requests fork from, which nothing else tells of. */
  async #isAdded(meta: EntityMetadata): Promise<boolean> {
    const em = this.forked.origin;
    // Comes back itself only where there is no filter at all: one may have nothing to say for now.
    const where = {};
    const isBare = (await em.applyFilters<object>(meta.class, where, {}, 'read')) === where;
    if (isBare && em === this.orm.em) this.#bare.add(meta);
    return !isBare;
  }
}
