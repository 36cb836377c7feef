import type { EntityProperty } from '@mikro-orm/core';
import { ConfigurationError, oneOf } from '../../wire/configuration.error.js';
import type { ColumnDefinition } from '../column.definition.js';
import type { RelatedList } from '../model.js';

/** How many related records a record shows when nothing says otherwise. */
const customaryLimit = 50;

const sortDirections: readonly string[] = ['ASC', 'DESC'];

/**
 * How a relation shows many records: what the definition says, else what was known, else the entity's own `orderBy`.
 * @throws ConfigurationError for a limit that is not a whole number
 */
export function relatedList(
  owner: string,
  property: EntityProperty,
  { limit, sortColumnName, sortDirection = 'ASC' }: ColumnDefinition = {},
  known: RelatedList = { limit: customaryLimit, sorts: declaredSorts(property) },
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
  return {
    limit: limit ?? known.limit,
    sorts: sortColumnName === undefined ? known.sorts : [{ columnName: sortColumnName, direction }],
  };
}

/** MikroORM's `orderBy` of a collection, as far as it names columns of the related entity itself. */
function declaredSorts({ orderBy }: EntityProperty): RelatedList['sorts'] {
  return [orderBy ?? []]
    .flat()
    .flatMap((order) => Object.entries(order as Record<string, unknown>))
    .filter(([, direction]) => typeof direction === 'string' || typeof direction === 'number')
    .map(([columnName, direction]) => ({
      columnName,
      direction: /^(?:-1|desc)/i.test(String(direction)) ? 'desc' : 'asc',
    }));
}
