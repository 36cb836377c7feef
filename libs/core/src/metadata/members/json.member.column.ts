import type { EntityMetadata, EntityProperty, Platform } from '@mikro-orm/core';
import { BaseMySqlPlatform, BasePostgreSqlPlatform, SqlitePlatform } from '@mikro-orm/sql';
import type { Column } from '../../model/column.js';
import type { ColumnDefinition } from '../../model/column.definition.js';
import { memberOf, type JsonMember, type MemberSort } from '../../model/members/json.member.js';
import { ConfigurationError } from '../../wire/configuration.error.js';

/** Keys that mean the same in every database, and need no quotes in names that clients use. */
const plainKey = /^[\p{L}_$][\p{L}\p{N}_$-]*$/u;

/** The platforms of databases that can tell a member of a Json column. */
const families = [BasePostgreSqlPlatform, SqlitePlatform, BaseMySqlPlatform] as const;

/** The types that the database gives the members of each sort. */
const databaseTypes = {
  text: 'text',
  boolean: 'boolean',
  integer: 'bigint',
  decimal: 'numeric',
  float: 'double precision',
} as const satisfies Record<MemberSort, string>;

/**
 * Makes the column of a member of a Json column, `attributes.color`, of what was said of it. Undefined where no Json column
 * is in front of it.
 *
 * @throws ConfigurationError for a key or a type that a member cannot have
 */
export function jsonMemberColumn(
  { className }: EntityMetadata,
  name: string,
  definition: ColumnDefinition,
  columns: ReadonlyMap<string, Column>,
  platform: Platform,
): Column | undefined {
  const parts = name.split('.');
  const length = parts.findIndex((_, index) => isJson(columns.get(parts.slice(0, index + 1).join('.')))) + 1;
  const json = columns.get(parts.slice(0, length).join('.'));
  if (json === undefined || length === 0 || length === parts.length) return undefined;
  const refuse = (problem: string): never => {
    throw new ConfigurationError(`defineColumns(${className})`, name, problem);
  };
  if (!families.some((family) => platform instanceof family))
    return refuse('this database cannot tell the members of Json columns');
  const keys = parts.slice(length);
  const odd = keys.find((key) => !plainKey.test(key));
  if (odd !== undefined) return refuse(`'${odd}' cannot be a key here: a letter, _ or $ comes first`);
  if (json.conversion !== undefined) return refuse(`'${json.name}' is kept in a way of its own`);
  return { ...typed(definition, { keys, stored: json.property.columnTypes[0] ?? '' }, json, refuse), name };
}

/** The member with another type, for one endpoint. */
export function overriddenMember(owner: string, column: Column, definition: ColumnDefinition): Column {
  const { member } = column;
  if (member === undefined) return column;
  const { type, validators, deprecated } = column;
  const given = { type, validators, deprecated, ...definition };
  const changed = typed(given, member, column, (problem) => {
    throw new ConfigurationError(owner, column.name, problem);
  });
  return { ...changed, name: column.name, message: definition.message ?? column.message };
}

function typed(
  { type: given, validators = [], message, deprecated = false }: ColumnDefinition,
  place: Pick<JsonMember, 'keys' | 'stored'>,
  json: Column,
  refuse: (problem: string) => never,
): Omit<Column, 'name'> {
  if (given === undefined) return refuse('a member of a Json column needs a type');
  const sort = memberOf(given, place)?.sort;
  const columnType = sort === undefined ? '' : databaseTypes[sort];
  const type = given.narrow?.({ databaseType: columnType }) ?? given;
  const member = memberOf(type, place);
  const isSet = type.setAutomatically !== undefined || type.fromRequest !== undefined;
  if (member === undefined || isSet)
    return refuse(
      `a ${type.name} column cannot be a member of a Json column; allowed: texts, numbers, booleans`,
    );
  return {
    property: madeUp(json.property, columnType),
    type,
    message,
    deprecated,
    validators,
    impliedValidators: [],
    nullable: true,
    conversion: undefined,
    hiddenBecause: json.hiddenBecause,
    readOnlyBecause: 'members of a Json column can only be read',
    member,
  };
}

/** The property of the Json column, which is read, with the type of the member. Nothing else of it is the member's. */
function madeUp(property: EntityProperty, columnType: string): EntityProperty {
  return { ...property, unique: false, columnTypes: [columnType] };
}

function isJson(column: Column | undefined): boolean {
  return column?.type.storage === 'json' && column.member === undefined;
}
