import { isRanked } from '../model/column.js';
import type { NameTable } from '../wire/name.table.js';
import { BadRequest } from '../wire/refusals.js';
import { isGroup } from './criterion.js';
import type { Condition, Criterion, Sort } from './query.plan.js';

/**
 * Gives sorts by how well records meet a search the value that they are asked for by, which all records of the list meet.
 *
 * @param conditions reads those of the request; it is called where there is such a sort alone
 * @throws BadRequest for such a sort without a condition on its column
 */
export function rankedSorts(
  sorts: readonly Sort[],
  conditions: () => readonly Criterion[],
  names: NameTable,
): readonly Sort[] {
  if (!sorts.some(({ path }) => isRanked(path.column))) return sorts;
  // What stands in a group is not met by every record of the list.
  const all = conditions().filter((one): one is Condition => !isGroup(one));
  return sorts.map((sort) => {
    const { text, column } = sort.path;
    if (!isRanked(column)) return sort;
    const beside = all.find(
      ({ path, comparison }) => path.text === text && comparison === column.type.search?.operator,
    );
    if (beside !== undefined) return { ...sort, value: beside.value };
    throw new BadRequest(`'${names.outward(text)}' can be sorted by only beside a condition on it`);
  });
}
