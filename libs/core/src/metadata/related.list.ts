import type { EntityMetadata, EntityProperty } from '@mikro-orm/core';
import { ConfigurationError, oneOf } from '../wire/configuration.error.js';
import type { ColumnDefinition } from '../model/column.definition.js';
import type { RelatedList } from '../model/model.js';

/** The number of related records that a record shows by default. */
const customaryLimit = 50;

const sortDirections: readonly string[] = ['ASC', 'DESC'];

/**
 * Decides how a relation shows many records: as the definition says, else what was known, else the `orderBy` of the
 * relation and of the entity it leads to.
 * @throws ConfigurationError for a limit that is not a whole number
 */
export function relatedList(
  owner: string,
  property: EntityProperty,
  known: RelatedList,
  { limit, sortColumnName, sortDirection = 'ASC' }: ColumnDefinition = {},
): RelatedList {
  if (limit !== undefined && (!Number.isSafeInteger(limit) || limit < 0))
    throw new ConfigurationError(owner, `${property.name}: limit`, `${limit} is not a whole number from 0`);
  if (!sortDirections.includes(sortDirection))
    throw new ConfigurationError(
      owner,
      `${property.name}: sortDirection`,
      `'${sortDirection}' is unknown; ${oneOf(sortDirections)}`,
    );
  const direction = sortDirection === 'ASC' ? 'asc' : 'desc';
  if (sortColumnName === undefined) return { ...known, limit: limit ?? known.limit };
  return { limit: limit ?? known.limit, sorts: [{ columnName: sortColumnName, direction }] };
}

/**
 * Reads the order of a relation's records from the entities: MikroORM's `orderBy` of the relation, then that of its
 * target.
 */
export function declaredList({ orderBy }: EntityProperty, target: EntityMetadata): RelatedList {
  const orders: readonly unknown[] = [orderBy ?? [], target.orderBy ?? []].flat();
  const sorts = orders.flatMap((order) => sortsIn(order, ''));
  if (!sorts.includes(undefined))
    return { limit: customaryLimit, sorts: sorts.flatMap((sort) => sort ?? []) };
  const problem = 'its orderBy is not one of columns with nulls last ascending and first descending';
  return { limit: customaryLimit, sorts: [], problem };
}

/** Undefined stands for an order that cannot be kept. */
function sortsIn(order: unknown, path: string): readonly (RelatedList['sorts'][number] | undefined)[] {
  if (typeof order !== 'object' || order === null || Reflect.ownKeys(order).some(isRaw)) return [undefined];
  return Object.entries(order).flatMap(([name, value]: [string, unknown]) =>
    typeof value === 'object' ? sortsIn(value, `${path}${name}.`) : [sortOf(`${path}${name}`, value)],
  );
}

function isRaw(key: string | symbol): boolean {
  return typeof key === 'symbol' || !/^[\p{L}_$][\p{L}\p{N}_$.]*$/u.test(key);
}

/** The form in which MikroORM writes a direction, and the place of nulls. */
const directionText = /^(?<direction>1|-1|asc|desc)(?: nulls (?<nulls>first|last))?$/i;

function sortOf(columnName: string, value: unknown): RelatedList['sorts'][number] | undefined {
  const found = directionText.exec(String(value))?.groups;
  if (found === undefined) return undefined;
  const direction = /^(?:1|asc)$/i.test(found['direction'] ?? '') ? 'asc' : 'desc';
  const usual = direction === 'asc' ? 'last' : 'first';
  return (found['nulls']?.toLowerCase() ?? usual) === usual ? { columnName, direction } : undefined;
}
