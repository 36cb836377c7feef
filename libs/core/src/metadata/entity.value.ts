import { JsonType, type Platform } from '@mikro-orm/core';
import type { Column } from '../model/column.js';

/**
 * Makes the value that MikroORM would have loaded into a column's property from a JSON value. Text in a property of texts
 * stays as it was sent: MikroORM reads what its database writes, and of the interval `3 weeks` it would make no time at all.
 */
export function entityValue(
  {
    type,
    property: { customType, runtimeType },
    conversion,
  }: Pick<Column, 'type' | 'property' | 'conversion'>,
  value: unknown,
  platform: Platform,
): unknown {
  if (value === null || conversion !== undefined) return value;
  const given = type.toEntity(value);
  if (customType === undefined || customType instanceof JsonType || given === null) return given;
  if (type.isText && runtimeType === 'string') return given;
  return customType.convertToJSValue(given, platform) as unknown;
}
