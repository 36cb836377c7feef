import type { EntityMetadata } from '@mikro-orm/core';
import type { OwnEm } from './own.em.js';
import { inAll, restrictionsOf, unrestricted } from './restriction.js';
import type { Fragment, Restrictions } from './sql/statement.js';
import type { Visibility } from './viewer.js';

/** Which records a request may see: what MikroORM's filters say, and the rules of its endpoint. */
export class VisibleRecords {
  readonly #known = new Map<EntityMetadata, Promise<readonly Fragment[]>>();

  constructor(private readonly own: OwnEm) {}

  /** See {@link Session.restrictionsOf}. */
  restrictionsOf(entities: ReadonlySet<EntityMetadata>): Restrictions | Promise<Restrictions> {
    const { visibility } = this.own.viewer;
    if (visibility !== undefined)
      for (const meta of entities) if (visibility.narrows(meta)) return this.#narrowed(visibility, entities);
    return this.#filtered(entities);
  }

  async #narrowed(visibility: Visibility, entities: ReadonlySet<EntityMetadata>): Promise<Restrictions> {
    const restrictions = new Map(await this.#filtered(entities));
    for (const meta of entities) {
      const filter = restrictions.get(meta);
      const visible = await this.#visibleOf(visibility, meta);
      const keys = inAll(filter === undefined ? visible : [filter, ...visible]);
      if (keys !== undefined) restrictions.set(meta, keys);
    }
    return restrictions;
  }

  /** The rules are asked once for each entity of a request. */
  #visibleOf(visibility: Visibility, meta: EntityMetadata): Promise<readonly Fragment[]> {
    if (!visibility.narrows(meta)) return Promise.resolve([]);
    const known = this.#known.get(meta) ?? this.own.enter().then(() => visibility.keysOf(meta, this.own.em));
    this.#known.set(meta, known);
    return known;
  }

  #filtered(entities: ReadonlySet<EntityMetadata>): Restrictions | Promise<Restrictions> {
    if (this.own.isMade) return restrictionsOf(this.own.em, entities);
    const restricts = this.own.database.restricts(entities);
    if (restricts === false) return unrestricted;
    return this.#restrictionsOf(entities, restricts);
  }

  async #restrictionsOf(
    entities: ReadonlySet<EntityMetadata>,
    restricts: true | Promise<boolean>,
  ): Promise<Restrictions> {
    return (await restricts) ? restrictionsOf(this.own.em, entities) : unrestricted;
  }
}
