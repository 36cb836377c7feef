import type { EntityMetadata } from '@mikro-orm/core';
import type { OwnEm } from '../database/own.em.js';
import { inAll, unrestricted } from '../sql/restrictions.js';
import { restrictionsOf } from './restriction.js';
import type { Fragment, Restrictions } from '../sql/statement.js';
import type { Visibility } from '../database/viewer.js';

/** The records that a request may see: those that MikroORM's filters and the rules of its endpoint allow. */
export class VisibleRecords {
  readonly #known = new Map<EntityMetadata, Promise<readonly Fragment[]>>();

  /** @param visibility the rules of the endpoint */
  constructor(
    private readonly own: OwnEm,
    private readonly visibility: Visibility,
  ) {}

  /** See {@link Session.restrictionsOf}. */
  restrictionsOf(entities: ReadonlySet<EntityMetadata>): Restrictions | Promise<Restrictions> {
    for (const meta of entities) if (this.visibility.narrows(meta)) return this.#narrowed(entities);
    return filteredBy(this.own, entities);
  }

  async #narrowed(entities: ReadonlySet<EntityMetadata>): Promise<Restrictions> {
    const restrictions = new Map(await filteredBy(this.own, entities));
    for (const meta of entities) {
      const filter = restrictions.get(meta);
      const visible = await this.#visibleOf(meta);
      const keys = inAll(filter === undefined ? visible : [filter, ...visible]);
      if (keys !== undefined) restrictions.set(meta, keys);
    }
    return restrictions;
  }

  /** The rules are asked once for each entity of a request. */
  #visibleOf(meta: EntityMetadata): Promise<readonly Fragment[]> {
    const { visibility } = this;
    if (!visibility.narrows(meta)) return Promise.resolve([]);
    const known = this.#known.get(meta) ?? this.own.enter().then(() => visibility.keysOf(meta, this.own.em));
    this.#known.set(meta, known);
    return known;
  }
}

/** Collects what MikroORM's filters let a request see of some entities. */
export function filteredBy(
  own: OwnEm,
  entities: ReadonlySet<EntityMetadata>,
): Restrictions | Promise<Restrictions> {
  if (own.isMade) return restrictionsOf(own.em, entities);
  const restricts = own.database.filtered.haveSome(entities);
  return restricts === false ? unrestricted : restrictedBy(own, entities, restricts);
}

async function restrictedBy(
  own: OwnEm,
  entities: ReadonlySet<EntityMetadata>,
  restricts: true | Promise<boolean>,
): Promise<Restrictions> {
  return (await restricts) ? restrictionsOf(own.em, entities) : unrestricted;
}
