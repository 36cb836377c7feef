import { Utils } from '@mikro-orm/core';
import type { RecordQuery } from './adjusted.query.js';

/** The conditions of a query, as it keeps them. */
type Conditions = RecordQuery['state']['cond'];

/**
 * Keeps a query within a scope, whatever is asked of it: `where` of MikroORM takes the place of what stood there, and `orWhere`
 * would lead around it. Copies of the query are kept within, too.
 *
 * @param filter of MikroORM, which all of its records meet
 */
export function scopedQuery(query: RecordQuery, filter: object): RecordQuery {
  query.where(filter as never);
  return kept(query, query.state.cond, {});
}

/** @param scope the conditions of the scope @param given those that stand beside it */
function kept(query: RecordQuery, scope: Conditions, given: Conditions): RecordQuery {
  const where = query.where.bind(query) as (...args: unknown[]) => unknown;
  const clone = query.clone.bind(query);
  let own = given;
  const put = (): void => {
    query.state.cond = isEmpty(own) ? scope : { $and: [scope, own] };
  };
  put();
  const beside = (...args: unknown[]): typeof query => {
    query.state.cond = own;
    try {
      where(...args);
      own = query.state.cond;
    } finally {
      put();
    }
    return query;
  };
  const copy = (...args: Parameters<typeof clone>): typeof query => {
    const [reset = false] = args;
    const isReset = reset === true || (Array.isArray(reset) && reset.includes('cond'));
    return kept(clone(...args), Utils.copy(scope), isReset ? {} : Utils.copy(own));
  };
  // `andWhere`, `orWhere` and `applyFilters` go through it, too.
  query.where = beside;
  query.clone = copy;
  return query;
}

/** True if there is no condition. Raw SQL is kept under symbols. */
function isEmpty(conditions: Conditions): boolean {
  return Reflect.ownKeys(conditions).length === 0;
}
