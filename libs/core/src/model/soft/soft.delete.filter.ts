import type { EntityManager, FilterDef } from '@mikro-orm/core';
import { softOptionsOf } from './soft.delete.js';

const live: Extract<FilterDef['cond'], (...given: never[]) => unknown> = (
  _args: unknown,
  _type: unknown,
  em: EntityManager,
  _options: unknown,
  entityName?: string,
) => {
  const meta = entityName === undefined ? undefined : em.getMetadata().getByClassName(entityName, false);
  const options = meta && softOptionsOf(meta.class);
  return options === undefined ? {} : { [options.columnName]: null };
};

/**
 * Filter of MikroORM that hides deleted records from queries of your own, which see all of them by default. Endpoints do not need
 * it, and are not slower with it.
 *
 * @example MikroORM.init({ filters: { softDelete: softDeleteFilter } })
 */
export const softDeleteFilter: FilterDef = { name: 'softDelete', cond: live, args: false, default: true };

/** True if a condition of a filter is that of {@link softDeleteFilter}, under whichever name. */
export function hidesDeleted(cond: unknown): boolean {
  return cond === live;
}
