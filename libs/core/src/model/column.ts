import type { EntityProperty, Type } from '@mikro-orm/core';
import { columnStorages } from './column.storage.js';
import type { ColumnType } from './column.type.js';
import type { JsonMember } from './members/json.member.js';
import type { Operator } from './operator.js';
import type { Validator } from './validator.js';

/** One column of a model: a name, a type, rules, and the MikroORM property it is stored in. */
export interface Column {
  /** The internal name: the property's, or for a BelongsToId column the property's plus the parent key's. */
  readonly name: string;
  readonly property: EntityProperty;
  readonly type: ColumnType;
  /** The user's own words for every complaint of the type. */
  readonly message: string | undefined;
  /** True, or why, for a column that clients are not to use any more. */
  readonly deprecated: boolean | string;
  readonly validators: readonly Validator[];
  /** The validators that metadata implies, before anything was said of the column. */
  readonly impliedValidators: readonly Validator[];
  readonly nullable: boolean;
  /** The user's own MikroORM type, which stands between JSON values and the database. */
  readonly conversion: Type<unknown> | undefined;
  /** The reason why a client cannot see this column, in words that follow its name; undefined when it can. */
  readonly hiddenBecause: string | undefined;
  /** The reason why a client cannot set this column; undefined when it can. */
  readonly readOnlyBecause: string | undefined;
  /** The place of the value in the Json column that {@link property} is; left out for values of their own. */
  readonly member?: JsonMember;
}

/** The search operators that the column's type takes. */
export function operatorsOf({ type: { operators, storage } }: Column): readonly Operator[] {
  return operators ?? columnStorages[storage].operators;
}

/** The operator of a search term, which has none of its own: equality, or the search of the column's type. */
export function termOperator({ type }: Column): Operator {
  return type.virtual === undefined ? '=' : (type.search?.operator ?? '=');
}

/** True if a search term can be about the column. */
export function isTerm(column: Column): boolean {
  return operatorsOf(column).includes(termOperator(column));
}

/** True if records are sorted by how well they meet a condition on the column, and by nothing else. */
export function isRanked({ type: { virtual, search } }: Column): boolean {
  return virtual !== undefined && search !== undefined;
}

/** The direction in which those that meet a condition on the column best come first. */
export function bestFirst({ type: { search } }: Column): 'asc' | 'desc' {
  return search?.best ?? 'asc';
}

/** True if records can be sorted by the column. */
export function isSortable({ type }: Column): boolean {
  return type.isSortable ?? columnStorages[type.storage].isSortable;
}

/** True if the database must give values of the column as text. */
export function isReadAsText({ type: { readAsText, storage } }: Column): boolean {
  return readAsText ?? columnStorages[storage].readAsText;
}

/** Gives the reason why a JSON value is not of the column's type; undefined when it is. */
export function typeComplaint({ type, message }: Column, value: unknown): string | undefined {
  const complaint = type.complaint(value);
  return complaint === undefined ? undefined : (message ?? complaint);
}

/** A JSON value that a client sent as clients will read it. */
export function writtenValue({ type, conversion }: Column, value: unknown): unknown {
  return JSON.parse(type.toWire(conversion === undefined ? type.toDatabase(value) : value)) as unknown;
}
