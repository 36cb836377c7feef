import type { ColumnType } from '../column.type.js';

/** The sort of JSON value that a member of a Json column has. */
export type MemberSort = 'text' | 'boolean' | 'integer' | 'decimal' | 'float';

/** A value within a Json column, which has a column of its own. */
export interface JsonMember {
  /** The keys that lead to it, the first in the Json value itself. */
  readonly keys: readonly string[];
  /** The type that the database has for the Json column itself. */
  readonly stored: string;
  readonly sort: MemberSort;
  /** The bounds of whole numbers. */
  readonly least: string;
  readonly greatest: string;
}

const int64 = { least: '-9223372036854775808', greatest: '9223372036854775807' } as const;

/** The member of values of a type; undefined for a type that JSON has no values of. */
export function memberOf(
  type: ColumnType,
  { keys, stored }: Pick<JsonMember, 'keys' | 'stored'>,
): JsonMember | undefined {
  const sort = sortOf(type);
  if (sort === undefined || type.storage !== 'scalar') return undefined;
  const { minimum, maximum } = type.schema;
  return {
    keys,
    stored,
    sort,
    least: minimum === undefined ? int64.least : String(minimum),
    greatest: maximum === undefined ? int64.greatest : String(maximum),
  };
}

function sortOf({ isText, isBoolean, arithmetic, schema }: ColumnType): MemberSort | undefined {
  if (isText || (schema.type === 'string' && schema.enum !== undefined)) return 'text';
  return isBoolean ? 'boolean' : arithmetic;
}

/** Reads a member of a JSON value as the database does: a value of another sort is null. */
export function memberValueOf(member: JsonMember | undefined, json: unknown): unknown {
  if (member === undefined) return json;
  let value = json;
  for (const key of member.keys) {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, key))
      return null;
    value = (value as Readonly<Record<string, unknown>>)[key];
  }
  return fitsMember(member, value) ? value : null;
}

/** True if a value is of the sort that a member has. */
export function fitsMember({ sort, least, greatest }: JsonMember, value: unknown): boolean {
  if (sort === 'text') return typeof value === 'string';
  if (sort === 'boolean') return typeof value === 'boolean';
  if (typeof value !== 'number') return false;
  return (
    sort !== 'integer' || (Number.isInteger(value) && value >= Number(least) && value <= Number(greatest))
  );
}
