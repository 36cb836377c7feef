import { QueryHelper, type EntityManager, type EntityMetadata, type MikroORM } from '@mikro-orm/core';

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

  /** True if filters may hide records of one of these entities from a request. */
  haveSome(entities: ReadonlySet<EntityMetadata>): boolean | Promise<boolean> {
    if (this.forked.origin !== this.orm.em) return this.#areAsked(entities);
    for (const meta of entities) if (!this.#bare.has(meta)) return this.#areAsked(entities);
    return false;
  }

  async #areAsked(entities: ReadonlySet<EntityMetadata>): Promise<boolean> {
    for (const meta of entities) if (this.isDeclared(meta) || (await this.#isAdded(meta))) return true;
    return false;
  }

  /** True if a filter of the entity or of MikroORM's options holds by default. */
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

  /** True if somebody has added one to the entity manager that requests fork from. Nothing else tells of it. */
  async #isAdded(meta: EntityMetadata): Promise<boolean> {
    const em = this.forked.origin;
    // Comes back itself only where there is no filter at all: one may have nothing to say for now.
    const where = {};
    const isBare = (await em.applyFilters<object>(meta.class, where, {}, 'read')) === where;
    if (isBare && em === this.orm.em) this.#bare.add(meta);
    return !isBare;
  }
}
