import type { ColumnType } from './column.type.js';
import { isBelow } from './values/decimal.text.js';

/** A JSON value with the type of the column it is of. */
export interface TypedValue {
  readonly type: ColumnType;
  readonly value: unknown;
}

/** True if all of one value lies before all of another. Their types have the same ordering. */
export function isBefore(one: TypedValue, other: TypedValue): boolean {
  if (one.type.ordering === 'time')
    return one.type.timeOf(one.value).end <= other.type.timeOf(other.value).start;
  return isBelow(one.type.numberOf(one.value), other.type.numberOf(other.value));
}

/** Gives the reason why values of two types have no common order; undefined when they have one. */
export function incomparable(type: ColumnType, other: ColumnType): string | undefined {
  if (type.ordering !== undefined && type.ordering === other.ordering) return undefined;
  return `${type.name} cannot be compared with ${other.name}`;
}

/** Gives the reason why values of a type are neither in the past nor in the future; undefined when they are. */
export function untimely(type: ColumnType): string | undefined {
  return type.ordering === 'time' ? undefined : `${type.name} is neither a date nor a time`;
}
