import {
  Utils,
  type EntityMetadata,
  type EntityName,
  type FilterObject,
  type ObjectQuery,
} from '@mikro-orm/core';
import type { QueryBuilder } from '@mikro-orm/sql';
import type { Database } from '../database/database.js';
import type { OwnEm } from '../database/own.em.js';
import { RestrictionFilter } from '../database/restriction.filter.js';
import type { Restriction } from '../sql/restriction.js';
import { refuseUndefined } from './adjusted.query.js';
import { isAsked } from './asked.rules.js';
import { scopedQuery } from './scoped.query.js';

/** The records of an entity that a request may see, for queries of the user's own. */
export interface ScopedRecords<E extends object> {
  /**
   * A filter object for MikroORM's `em.find`, `em.count` and the like: the request may see the record, and it meets the condition.
   *
   * @example em.find(Trip, trips.where({ days: { $gt: 3 } }), { orderBy: { title: 'asc' } })
   */
  readonly where: (condition?: ObjectQuery<E>) => FilterObject<E>;
  /** Makes a query of MikroORM's that finds nothing else, whatever its `where` and `orWhere` say. Its joins are your own. */
  readonly query: <Alias extends string = never>(alias?: Alias) => QueryBuilder<E, Alias>;
}

/** Gives the records of an entity that a request may see. It rejects where that cannot be told. */
export type Scoped = <E extends object>(entity: EntityName<E>) => Promise<ScopedRecords<E>>;

/**
 * The metadata of an entity whose records the rules of a request say.
 *
 * @throws TypeError for what is none of the database's, where the rules do not say it, and where one of them is just being asked
 */
export function scopedEntity({ database, viewer }: OwnEm, entity: EntityName): EntityMetadata {
  const meta = storedEntity(database, entity);
  if (isAsked())
    throw new TypeError(`scoped: a rule cannot ask for ${meta.className}, which depends on rules`);
  const all = database.orm.getMetadata().getAll();
  const reason = viewer.visibility?.reasonAgainst(meta, [...all.values()]);
  if (reason !== undefined) throw new TypeError(`scoped: ${reason}`);
  return meta;
}

/** The metadata of an entity with records of its own. */
function storedEntity({ orm }: Database, entity: EntityName): EntityMetadata {
  const metadata = orm.getMetadata();
  const meta = metadata.find(entity);
  // One that MikroORM was not given has metadata too, as it was declared.
  if (meta !== undefined && metadata.getAll().has(meta.class) && !meta.embeddable) return meta;
  throw new TypeError(
    `scoped: ${Utils.className(entity)} is no entity of the database that the endpoint works on`,
  );
}

/** @param restriction what the request may see; undefined for all */
export function scopedRecords<E extends object>(
  own: OwnEm,
  meta: EntityMetadata,
  restriction: Restriction | undefined,
): ScopedRecords<E> {
  const filter = new RestrictionFilter(own.database.dialect);
  const scope = (): readonly object[] => (restriction === undefined ? [] : filter.of(meta, restriction));
  const where = (condition?: object): object => {
    refuseUndefined('A condition of scoped records', condition);
    const all = condition === undefined ? scope() : [...scope(), condition];
    return all.length === 0 ? {} : { $and: all };
  };
  const query = (alias?: string): object => {
    const made = own.em.createQueryBuilder<object, string>(meta.class, alias);
    return restriction === undefined ? made : scopedQuery(made, where());
  };
  return { where, query } as ScopedRecords<E>;
}
