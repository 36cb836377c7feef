import { columnOf } from '../document/column.names.js';
import type { ListAbilities } from '../document/list.abilities.js';
import type { KnownResource } from '../document/resource.reader.js';
import { EndpointsError } from '../wire/endpoints.error.js';
import { selectedColumns } from './record.shape.js';
import { typedValue } from './column.values.js';
import type { ColumnCondition, RecordCondition, RecordQuery, RecordSort } from './record.query.js';

/** A list with the parameters that it is asked with, but for the page. */
export interface ListPlan {
  readonly list: ListAbilities;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/**
 * Chooses the way to ask: AdvancedSearch where there is one and it knows what is asked for, else the List.
 * @throws EndpointsError where neither can say it
 */
export function planList(resource: KnownResource, query: RecordQuery): ListPlan {
  const { lists } = resource;
  const conditions = (query.conditions ?? []).map((one) => normalised(resource, one));
  const sorts = sortsOf(resource, query.sorts ?? []);
  const judged = lists.map((list) => ({ list, reason: reasonAgainst(list, conditions, sorts, query) }));
  const best =
    judged.find(({ reason }) => reason === undefined) ?? judged.find(({ list }) => list.hasConditions);
  if (best === undefined)
    throw new EndpointsError(`${resource.name}: ${judged[0]?.reason ?? 'it has no list'}`, 400);
  const { list } = best;
  const asked = list.hasConditions ? searched(list, conditions, sorts) : termed(list, conditions, sorts);
  return { list, parameters: { ...asked, ...selected(resource, list, query) } };
}

/** `id` is the member that records are called by, and null is compared by operators of its own. */
function normalised(resource: KnownResource, condition: RecordCondition): RecordCondition {
  if ('any' in condition) return { any: condition.any.map((one) => normalised(resource, one)) };
  if ('all' in condition) return { all: condition.all.map((one) => normalised(resource, one)) };
  if ('not' in condition) return { not: normalised(resource, condition.not) };
  const column = columnOf(resource, condition.column);
  if (condition.value !== null) return { ...condition, column };
  if (condition.operator === '=') return { column, operator: 'is null' };
  if (condition.operator === '!=') return { column, operator: 'is not null' };
  return { ...condition, column };
}

/** Lists of front ends ask for the order of ids when nobody has chosen one: that is the service's own order, then. */
function sortsOf(resource: KnownResource, sorts: readonly RecordSort[]): readonly RecordSort[] {
  return sorts
    .map(({ column, direction }) => ({ column: columnOf(resource, column), direction }))
    .filter(
      ({ column }) => column !== resource.key || resource.lists.some(({ sortable }) => sortable.has(column)),
    );
}

function reasonAgainst(
  list: ListAbilities,
  conditions: readonly RecordCondition[],
  sorts: readonly RecordSort[],
  { fields, include }: RecordQuery,
): string | undefined {
  if (sorts.length > list.mostSorts)
    return `it cannot be sorted by more than ${String(list.mostSorts)} columns`;
  const unsorted = sorts.find(({ column }) => !list.sortable.has(column));
  if (unsorted !== undefined) return `it cannot be sorted by '${unsorted.column}'`;
  const columns = new Set<string>();
  for (const condition of conditions) {
    const leaves = [...leavesOf(condition)];
    if (!list.hasConditions && !('column' in condition)) return 'it has no conditions with groups';
    const unknown = leaves.find(
      ({ column, operator }) => list.columns.get(column)?.operators.has(operator) !== true,
    );
    if (unknown !== undefined)
      return `it cannot be searched by '${unknown.column}' with '${unknown.operator}'`;
    if (!list.hasConditions && leaves.some(({ column }) => columns.has(column)))
      return 'it cannot be searched by a column twice';
    for (const { column } of leaves) columns.add(column);
  }
  if (fields !== undefined && !list.has('fields')) return 'clients do not select its columns';
  return include === undefined || list.has('include') ? undefined : 'clients do not select its columns';
}

function* leavesOf(condition: RecordCondition): Generator<ColumnCondition> {
  if ('column' in condition) yield condition;
  else if ('not' in condition) yield* leavesOf(condition.not);
  else for (const one of 'any' in condition ? condition.any : condition.all) yield* leavesOf(one);
}

function searched(
  list: ListAbilities,
  conditions: readonly RecordCondition[],
  sorts: readonly RecordSort[],
): Record<string, unknown> {
  const { word } = list;
  const entries = sorts.map(({ column, direction }) => ({
    [word('column')]: column,
    [word('direction')]: direction,
  }));
  return {
    ...(conditions.length === 0 ? {} : { [word('where')]: conditions.map((one) => entryOf(list, one)) }),
    ...(entries.length === 0 ? {} : { [word('sort')]: entries }),
  };
}

function entryOf(list: ListAbilities, condition: RecordCondition): Record<string, unknown> {
  const { word, columns } = list;
  if ('any' in condition) return { [word('any')]: condition.any.map((one) => entryOf(list, one)) };
  if ('all' in condition) return { [word('all')]: condition.all.map((one) => entryOf(list, one)) };
  if ('not' in condition) return { [word('not')]: entryOf(list, condition.not) };
  const { column, operator, value } = condition;
  const typed = typedValue(columns.get(column)?.schema ?? {}, value);
  return { [word('column')]: column, [word('operator')]: operator, [word('value')]: typed ?? null };
}

function termed(
  list: ListAbilities,
  conditions: readonly RecordCondition[],
  sorts: readonly RecordSort[],
): Record<string, unknown> {
  const { word, hasBody, columns } = list;
  const terms = conditions.flatMap((one) => ('column' in one ? [one] : []));
  const entries = terms.map(({ column, value }): [string, unknown] => {
    return [column, hasBody ? typedValue(columns.get(column)?.schema ?? {}, value) : value];
  });
  const [sort] = sorts;
  const order =
    sort === undefined ? {} : { [word('sort')]: sort.column, [word('direction')]: sort.direction };
  return { ...Object.fromEntries(entries), ...order };
}

function selected(
  resource: KnownResource,
  { word, hasBody }: ListAbilities,
  { fields, include }: RecordQuery,
): Record<string, unknown> {
  const written = (names: readonly string[]): unknown => (hasBody ? names : names.join(','));
  return {
    ...(fields === undefined ? {} : { [word('fields')]: written(selectedColumns(resource, fields)) }),
    ...(include === undefined ? {} : { [word('include')]: written(include) }),
  };
}
