import type { EntityMetadata } from '@mikro-orm/core';
import type { SqlEntityManager } from '@mikro-orm/sql';
import type { OwnEm } from '../database/own.em.js';
import type { Visibility } from '../database/viewer.js';
import type { ShownRecords } from '../model/soft/records.view.js';
import { both, type Restriction, type Restrictions } from '../sql/restriction.js';
import { liveRestriction } from './live.records.js';

type Visible = Restriction | undefined;

/** The records that a request may see: those that are live, and that MikroORM's filters and the rules of its endpoint allow. */
export class VisibleRecords {
  readonly #known = new Map<EntityMetadata, Visible | Promise<Visible>>();

  /**
   * @param visibility the rules of the endpoint; undefined where they hide nothing
   * @param shown the records of its own entity that it is about, where these are not the live ones
   */
  constructor(
    private readonly own: OwnEm,
    private readonly visibility: Visibility | undefined,
    private readonly shown: ShownRecords | undefined,
  ) {}

  /** See {@link Session.restrictionsOf}. */
  restrictionsOf(entities: ReadonlySet<EntityMetadata>): Restrictions | Promise<Restrictions> {
    const filtered = this.own.filtered(entities);
    if (filtered instanceof Promise) return this.#narrowed(entities, filtered);
    const restrictions = new Map<EntityMetadata, Restriction>();
    for (const meta of entities) {
      const visible = this.#visibleOf(meta);
      if (visible instanceof Promise) return this.#narrowed(entities, filtered);
      const restriction = both(visible, filtered.get(meta));
      if (restriction !== undefined) restrictions.set(meta, restriction);
    }
    return restrictions;
  }

  async #narrowed(
    entities: ReadonlySet<EntityMetadata>,
    filtered: Restrictions | Promise<Restrictions>,
  ): Promise<Restrictions> {
    const filters = await filtered;
    const restrictions = new Map<EntityMetadata, Restriction>();
    for (const meta of entities) {
      const restriction = both(await this.#visibleOf(meta), filters.get(meta));
      if (restriction !== undefined) restrictions.set(meta, restriction);
    }
    return restrictions;
  }

  /** The rules are asked once for each entity of a request. */
  #visibleOf(meta: EntityMetadata): Visible | Promise<Visible> {
    const { visibility } = this;
    const live = liveRestriction(meta, this.shown);
    if (visibility?.narrows(meta) !== true) return live;
    if (this.#known.has(meta)) return this.#known.get(meta);
    const ruled = visibility.restrictionOf(meta, this.#em);
    const visible = ruled instanceof Promise ? ruled.then((one) => both(one, live)) : both(ruled, live);
    this.#known.set(meta, visible);
    return visible;
  }

  readonly #em = async (): Promise<SqlEntityManager> => {
    await this.own.enter();
    return this.own.inner;
  };
}
