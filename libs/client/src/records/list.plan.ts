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
  const conditions = (query.conditions ?? []).map(
    (one) => replaced(one, (leaf) => normalised(resource, leaf), String) as RecordCondition,
  );
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

/** Puts others in the place of the conditions on columns, and leaves the groups around them. */
function replaced<T>(
  condition: RecordCondition,
  leaf: (one: ColumnCondition) => T,
  word: (group: 'any' | 'all' | 'not') => string,
): T | object {
  const within = (one: RecordCondition): T | object => replaced(one, leaf, word);
  if ('column' in condition) return leaf(condition);
  if ('not' in condition) return { [word('not')]: within(condition.not) };
  if ('any' in condition) return { [word('any')]: condition.any.map(within) };
  return { [word('all')]: condition.all.map(within) };
}

/** `id` is the member that records are called by, and null is compared by operators of its own. */
function normalised(resource: KnownResource, condition: ColumnCondition): ColumnCondition {
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
  const isRefused =
    (fields !== undefined && !list.has('fields')) || (include !== undefined && !list.has('include'));
  return isRefused ? 'clients do not select its columns' : undefined;
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
    ...(conditions.length === 0
      ? {}
      : { [word('where')]: conditions.map((one) => replaced(one, (leaf) => entryOf(list, leaf), word)) }),
    ...(entries.length === 0 ? {} : { [word('sort')]: entries }),
  };
}

function entryOf(
  { word, columns }: ListAbilities,
  { column, operator, value }: ColumnCondition,
): Record<string, unknown> {
  const typed = typedValue(columns.get(column)?.schema ?? {}, value);
  return { [word('column')]: column, [word('operator')]: operator, [word('value')]: typed ?? null };
}

function termed(
  list: ListAbilities,
  conditions: readonly RecordCondition[],
  sorts: readonly RecordSort[],
): Record<string, unknown> {
  const { word, columns } = list;
  const entries = (conditions as readonly ColumnCondition[]).map(({ column, value }): [string, unknown] => [
    column,
    typedValue(columns.get(column)?.schema ?? {}, value),
  ]);
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
