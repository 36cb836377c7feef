import type { EntityProperty } from '@mikro-orm/core';
import type { ColumnPath, Model } from '../model/model.js';
import { isOrderedByIndex } from '../model/index.order.js';
import { isGroup } from '../query/criterion.js';
import type { Sort } from '../query/query.plan.js';
import type { ShapedCondition, ShapedCriterion } from './condition.writer.js';
import { sortKeys } from './keyset.js';
import { ofSubject, referredTo, type Fragment, type Restrictions } from './restriction.js';
import type { Preparation } from './statement.js';

/** The records that a statement is about, without the values of a request. */
export interface RecordsShape {
  readonly model: Model;
  readonly conditions: readonly ShapedCriterion[];
  readonly restrictions: Restrictions;
  /** True if the request has just written the record itself: only what written records must meet is asked of it. */
  readonly isWritten?: boolean;
  /** True if other records refer to these, which the endpoint is not about. Default false. */
  readonly isReferred?: boolean;
  /** True if it is about all records of the table, of whatever entity. Default false. */
  readonly isOfTable?: boolean;
  /** Sub-selects of keys that narrow the records, beside the conditions. */
  readonly narrowed?: readonly Fragment[];
  /** One record per distinct value of this column: the first in the order of `sorts`. */
  readonly groupBy?: ColumnPath | undefined;
  /** The id column follows as the last tie-breaker, ascending. */
  readonly sorts?: readonly Sort[];
}

/** The parts of the records that are read. */
export interface SelectShape extends RecordsShape {
  readonly columns: readonly ColumnPath[];
  /** The page to cut out; undefined reads all. */
  readonly page?: PageShape | undefined;
}

/** A page of `limit` records and one more, which tells whether there are more. */
export interface PageShape {
  /** True for each sort value that is null in the record before the page; undefined when the page starts at a number. */
  readonly after?: readonly boolean[] | undefined;
  /**
   * The number of records, where it stands in the text; left out where requests bring it. A planner that knows it trusts one
   * plan for all values sooner: PostgreSQL takes a tenth of all records for one that it does not know.
   */
  readonly size?: number | undefined;
  /** True if it begins with the first record. */
  readonly isFirst: boolean;
  /** True if many records come before the page, so that their keys are passed over and not they themselves. */
  readonly isDeep: boolean;
  /** True if rows bring their sort values: in a column that is read anyway, else as `k0`, `k1`, …. */
  readonly readsCursor: boolean;
  /** True if rows bring the number of all records, `total`; null when the page itself tells it. */
  readonly counts: boolean;
}

/**
 * One plan is good for a record by a unique value, for all records, and for those that an index has in their order. What
 * else narrows them by values may be rare or common: a small tenant's records, and a large one's.
 */
export function preparationOf(shape: RecordsShape): Preparation {
  const { model, conditions, restrictions, narrowed = [] } = shape;
  if (narrowed.length > 0) return 'renewed';
  for (const { isPlain } of restrictions.values()) if (!isPlain) return 'renewed';
  const fixed = fixedIn(shape);
  const isOne = (one: ShapedCriterion): boolean => !isGroup(one) && isKey(one);
  const isKey = ({ path, comparison }: ShapedCondition): boolean =>
    comparison === '=' && path.relations.length === 0 && model.isUnique(path.column, fixed);
  const isStable = (conditions.length === 0 && isInOrder(shape, fixed)) || conditions.some(isOne);
  return isStable ? 'kept' : 'renewed';
}

/**
 * True if a page counts all records beside its own: those of a table, or those that an index has in their order. Where there are
 * no more than the page shows, they are counted at once. What is searched, which may take long to find, is kept as a page first,
 * which tells whether the rest must be counted.
 */
export function isCountedAlong(shape: RecordsShape, { counts, after, isDeep }: PageShape): boolean {
  const { conditions, groupBy } = shape;
  if (!counts || after !== undefined || isDeep || conditions.length > 0 || groupBy !== undefined)
    return false;
  return preparationOf(shape) === 'kept';
}

/** True if restrictions compare with no values, or an index begins with all that they fix and goes on with the order. */
function isInOrder(
  { model, restrictions, sorts, groupBy }: RecordsShape,
  fixed: readonly EntityProperty[],
): boolean {
  const all = [...restrictions.values()].flatMap(({ conditions }) => conditions);
  const compared = all.filter(({ comparison }) => !comparison.startsWith('is '));
  if (compared.length === 0) return true;
  if (compared.length > fixed.length || sorts === undefined || groupBy !== undefined) return false;
  const [first] = sortKeys(model, sorts);
  if (first === undefined || first.path.relations.length > 0) return false;
  // Records without a value are first in an index that is read backwards, and last in the order.
  if (first.direction === 'desc' && first.isNullable) return false;
  const empty = all.flatMap(({ comparison, property }) => (comparison === 'is null' ? property : []));
  return isOrderedByIndex(model.meta, { fixed, empty }, first.path.column.property);
}

/**
 * A record by a unique value, or those of some keys, as long as nothing else is looked for: neither an order, nor what may
 * lie in other tables, but for parents and what restricts the records to see.
 */
export function isLookup(shape: RecordsShape): boolean {
  const { model, conditions, restrictions, narrowed = [], sorts, groupBy } = shape;
  if (sorts !== undefined || groupBy !== undefined || narrowed.length > 0) return false;
  if (conditions.some(isGroup)) return false;
  for (const { isPlain } of restrictions.values()) if (!isPlain) return false;
  const fixed = fixedIn(shape);
  const isUnique = ({ path, comparison }: ShapedCondition): boolean =>
    (comparison === '=' || comparison === 'in') && model.isUnique(path.column, fixed);
  const own = conditions as readonly ShapedCondition[];
  return own.every(({ path }) => path.relations.length === 0) && own.some(isUnique);
}

/** The properties that have one value in all records that there are for a request: a tenant, a parent. */
function fixedIn({ model: { meta }, restrictions, isReferred }: RecordsShape): readonly EntityProperty[] {
  const { conditions = [] } = restrictions.get(meta) ?? {};
  const own = isReferred === true ? referredTo(conditions) : ofSubject(conditions);
  return own.flatMap(({ comparison, property }) => (comparison === '=' ? property : []));
}
