import type { EntityProperty } from '@mikro-orm/core';
import { conversionOf, narrowedTypeOf } from '../metadata/suggested.column.js';
import type { ColumnType } from '../model/column.type.js';
import { StringColumn } from '../model/columns/string.column.js';
import { UuidColumn } from '../model/columns/uuid.column.js';
import { isRounded } from '../model/values/rounded.number.js';
import type { Dialect } from '../sql/dialect.js';
import { exactTextOf, holdsLetters, type ExactText } from '../sql/dialects/exact.text.js';

/** The types of MySQL that hold bytes, which it compares with a number as it does letters. */
const bytes = /(?:binary|blob)/i;

/** The facts of a column that values are compared with. */
export class ComparedColumn {
  /** True if a number is another value than its text: MySQL compares all texts without digits with 0. */
  readonly isText: boolean;
  /** The comparison of its texts to the last letter; undefined where `=` is that, or where letters do not matter. */
  readonly exact: ExactText | undefined;
  /** The type that says which values the column has; undefined where a type of the user's MikroORM says it. */
  readonly #type: ColumnType | undefined;

  /** @param own the property that has the value: of a relation the key of the parent */
  constructor(dialect: Dialect, property: EntityProperty, own: EntityProperty) {
    const { platform } = dialect;
    const type = comparedTypeOf(dialect, own);
    this.#type = conversionOf(own) === undefined ? type : undefined;
    this.isText = holdsLetters(property) || bytes.test(property.columnTypes[0] ?? '');
    // One UUID may have small letters in one row and capital ones in another.
    const isExact = !(this.#type instanceof UuidColumn);
    const collation = property.collation ?? own.collation;
    this.exact = isExact ? exactTextOf(platform, property, collation) : undefined;
  }

  /** False for a value that a column of numbers or booleans does not have: MySQL would read the digits it begins with. */
  takes(value: unknown): boolean {
    const type = this.#type;
    if (type === undefined || typeof value === 'number' || typeof value === 'bigint') return true;
    if (typeof value === 'boolean') return type.arithmetic === undefined;
    return (type.arithmetic === undefined && !type.isBoolean) || isComparable(type, value);
  }
}

/** The type that says which values can be compared with a property. Letters can, though no endpoint may show their type. */
export function comparedTypeOf({ platform }: Dialect, own: EntityProperty): ColumnType {
  const type = narrowedTypeOf(own, platform);
  return type.unusableBecause !== undefined && holdsLetters(own) ? new StringColumn() : type;
}

/** True if a value is one that a type knows, as it is or as its text. */
export function isComparable(type: ColumnType, value: unknown): boolean {
  if (type.complaint(value) === undefined) return true;
  if (isRounded(value)) return false;
  return (
    ['string', 'number', 'boolean'].includes(typeof value) &&
    type.complaint(type.fromText(String(value))) === undefined
  );
}
