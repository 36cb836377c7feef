import { QueryHelper, type EntityManager, type EntityMetadata, type MikroORM } from '@mikro-orm/core';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { hidesDeleted } from '../model/soft/soft.delete.filter.js';
import type { Dialect } from '../sql/dialect.js';
import { Restriction, unrestricted, type Restrictions } from '../sql/restriction.js';
import { keysOf } from './key.query.js';
import { PlainFilters } from './plain.filter.js';

/** The say of filters about an entity: nothing, the same to every request, or something else to each. */
type Said = 'nothing' | Restriction | 'varies';

interface DeclaredFilter {
  readonly name: string;
  readonly cond: unknown;
}

/** The filters of MikroORM that hold for entities. What says the same to every request is read once. */
export class FilteredEntities {
  readonly #declared = new Map<EntityMetadata, readonly DeclaredFilter[]>();
  /** For requests that fork from the global entity manager. */
  readonly #said = new Map<EntityMetadata, Said>();
  readonly #plain: PlainFilters;
  /** The number of filters that were added to the global entity manager. */
  #added = 0;

  constructor(
    private readonly orm: MikroORM,
    dialect: Dialect,
  ) {
    this.#plain = new PlainFilters(dialect);
    const add = orm.em.addFilter.bind(orm.em);
    orm.em.addFilter = (options): void => {
      this.#said.clear();
      this.#added += 1;
      add(options);
    };
  }

  /**
   * The records of some entities that filters let every request see; undefined where each must be asked.
   *
   * @param origin what the request forks from
   */
  restrictions(
    entities: ReadonlySet<EntityMetadata>,
    origin: EntityManager,
  ): Restrictions | undefined | Promise<Restrictions | undefined> {
    if (origin !== this.orm.em) return this.#ofAnother(entities, origin);
    let restrictions: Map<EntityMetadata, Restriction> | undefined;
    for (const meta of entities) {
      const said = this.#said.get(meta);
      if (said === undefined) return this.#learnt(entities);
      if (said === 'varies') return undefined;
      if (said !== 'nothing') (restrictions ??= new Map()).set(meta, said);
    }
    return restrictions ?? unrestricted;
  }

  /** The records that the filters of a request's own entity manager let it see. */
  async restrictionsBy(em: SqlEntityManager, entities: Iterable<EntityMetadata>): Promise<Restrictions> {
    let restrictions: Map<EntityMetadata, Restriction> | undefined;
    for (const meta of entities) {
      const restriction = this.#restriction(em, meta, await filterOf(em, meta));
      if (restriction !== undefined) (restrictions ??= new Map()).set(meta, restriction);
    }
    return restrictions ?? unrestricted;
  }

  /** True if a filter of the entity or of MikroORM's options holds by default. */
  isDeclared(meta: EntityMetadata): boolean {
    return this.#declaredOf(meta).length > 0;
  }

  async #learnt(entities: ReadonlySet<EntityMetadata>): Promise<Restrictions | undefined> {
    const added = this.#added;
    for (const meta of entities) {
      if (this.#said.has(meta)) continue;
      const said = await this.#ask(meta);
      // A filter that was added meanwhile may not have been asked.
      if (added !== this.#added) return undefined;
      this.#said.set(meta, said);
    }
    return this.restrictions(entities, this.orm.em);
  }

  async #ask(meta: EntityMetadata): Promise<Said> {
    const { em } = this.orm;
    const declared = this.#declaredOf(meta);
    if (await isAddedTo(em, meta, declared)) return 'varies';
    if (declared.length === 0) return 'nothing';
    if (declared.some(({ cond }) => typeof cond === 'function')) return 'varies';
    // One that was added under the name of a declared one stands in its place, and may be a function.
    const constant = await constantFilterOf(em as SqlEntityManager, meta);
    if (constant === undefined) return 'varies';
    const restriction = this.#restriction(em as SqlEntityManager, meta, constant.filter);
    // A sub-select has the schema of its time.
    return restriction?.isPlain === false ? 'varies' : (restriction ?? 'nothing');
  }

  /** Asks the entity manager that a middleware of MikroORM's made; functions are asked with the request's own. */
  async #ofAnother(
    entities: ReadonlySet<EntityMetadata>,
    em: EntityManager,
  ): Promise<Restrictions | undefined> {
    for (const meta of entities) {
      const declared = this.#declaredOf(meta);
      if (declared.some(({ cond }) => typeof cond === 'function') || (await isAddedTo(em, meta, declared)))
        return undefined;
    }
    return this.restrictionsBy(em as SqlEntityManager, entities);
  }

  /** A filter may need any join: what is no plain comparison stays MikroORM's to translate, as a sub-select. */
  #restriction(em: SqlEntityManager, meta: EntityMetadata, filter: unknown): Restriction | undefined {
    if (filter === undefined) return undefined;
    const conditions = this.#plain.read(meta, filter, true);
    if (conditions !== undefined) return new Restriction({ conditions });
    return new Restriction({ keys: keysOf(em.createQueryBuilder(meta.class).where(filter as never), meta) });
  }

  #declaredOf(meta: EntityMetadata): readonly DeclaredFilter[] {
    const known = this.#declared.get(meta);
    if (known !== undefined) return known;
    const declared = activeFilters(this.orm, meta).filter(({ cond }) => !hidesDeleted(cond));
    this.#declared.set(meta, declared);
    return declared;
  }
}

function activeFilters(orm: MikroORM, meta: EntityMetadata): readonly DeclaredFilter[] {
  const sources = [orm.config.get('filters'), meta.filters];
  return sources.flatMap((filters) => QueryHelper.getActiveFilters(meta, {}, filters as never));
}

/** The filters of {@link softDeleteFilter} as options that turn them off: what is live our own statements say. */
function withoutLive(em: EntityManager, meta: EntityMetadata): Readonly<Record<string, false>> {
  const sources = [em.config.get('filters'), meta.filters] as readonly Readonly<
    Record<string, DeclaredFilter>
  >[];
  const names = sources.flatMap((filters) =>
    Object.keys(filters).filter((name) => hidesDeleted(filters[name]?.cond)),
  );
  return Object.fromEntries(names.map((name) => [name, false]));
}

function filterOf(em: SqlEntityManager, meta: EntityMetadata): Promise<unknown> {
  return em.applyFilters<object>(meta.class, undefined, withoutLive(em, meta), 'read');
}

/** True if a filter was added to an entity manager. Nobody tells; with all others off it gives back what it was given. */
async function isAddedTo(
  em: EntityManager,
  meta: EntityMetadata,
  declared: readonly DeclaredFilter[],
): Promise<boolean> {
  const off = { ...withoutLive(em, meta), ...Object.fromEntries(declared.map(({ name }) => [name, false])) };
  const where = {};
  return (await em.applyFilters<object>(meta.class, where, off, 'read')) !== where;
}

/** The filter of an entity, which may be none; undefined where a function has a say in it. */
async function constantFilterOf(
  em: SqlEntityManager,
  meta: EntityMetadata,
): Promise<{ readonly filter: unknown } | undefined> {
  const asked = em.fork({ disableContextResolution: true });
  const functions = { areAsked: false };
  // MikroORM looks for the parameters of functions there, and for nothing else of filters.
  asked.getContext = () => {
    functions.areAsked = true;
    return asked;
  };
  const filter = await filterOf(asked, meta);
  return functions.areAsked ? undefined : { filter };
}
