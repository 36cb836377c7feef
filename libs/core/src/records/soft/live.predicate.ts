import type { EntityMetadata } from '@mikro-orm/core';
import { softEntityOf } from '../../model/soft/soft.entity.js';

/**
 * The condition of an index of live records alone, as the catalogue of PostgreSQL tells it; a text that no index has where
 * values are unique among all records.
 */
export function livePredicate(meta: EntityMetadata): string {
  const soft = softEntityOf(meta);
  if (soft?.isUniqueAmongLive !== true) return '';
  const [field = soft.property.name] = soft.property.fieldNames;
  return `(${/^[a-z_][a-z0-9_]*$/.test(field) ? field : `"${field.replaceAll('"', '""')}"`} IS NULL)`;
}
