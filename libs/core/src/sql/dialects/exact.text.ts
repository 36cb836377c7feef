import type { EntityProperty } from '@mikro-orm/core';
import {
  BaseMySqlPlatform,
  BasePostgreSqlPlatform,
  SqlitePlatform,
  type AbstractSqlPlatform,
} from '@mikro-orm/sql';
import { storedType } from '../../metadata/stored.fields.js';

/** The two sides of a comparison to the last letter. It stands beside the usual one, which finds an index. */
export interface ExactText {
  /** The text of a column. */
  readonly field: (expression: string) => string;
  /** A value that is bound. */
  readonly value: (placeholder: string) => string;
  /** A list of values that is one parameter; PostgreSQL alone has such. */
  readonly list: (placeholder: string) => string;
}

/** The types of columns that hold letters, in all databases. */
const letters =
  /^(?:\w+\.)?(?:(?:national )?(?:n?(?:var)?char|character)|bpchar|name\b|(?:tiny|medium|long|ci)?text|enum|set\b)/i;

/** The types of PostgreSQL that end with blanks which are none of the value. */
const filled = /^(?:(?:national )?(?:character|char)(?! varying)|nchar|bpchar)\b/i;

/** A type for which capital letters are small ones. */
const looseType = /^(?:\w+\.)?citext\b/i;

/** Collations of PostgreSQL that tell all texts apart. Of others the catalogue alone knows if they do. */
const strictCollation = /^(?:c|posix|default|ucs_basic|pg_c_utf8|c\.utf-?8|.+-x-icu)$/i;

/** True if a collation of PostgreSQL, as metadata has it, may take other letters for the same. */
export function isLooseCollation(collation: string | undefined): boolean {
  return collation !== undefined && !strictCollation.test(collation);
}

const same = (text: string): string => text;

/** The comparison of bytes in the character set of the connection, whatever that of the column is. */
const ofMySql: ExactText = {
  field: (expression) => `binary convert(${expression} using utf8mb4)`,
  value: (placeholder) => `binary ${placeholder}`,
  list: same,
};

const ofSqlite: ExactText = {
  field: (expression) => `${expression} collate binary`,
  value: same,
  list: same,
};

const ofPostgreSql: ExactText = {
  field: (expression) => `${expression}::text collate "C"`,
  value: same,
  list: same,
};

const filledOfPostgreSql: ExactText = {
  field: ofPostgreSql.field,
  value: (placeholder) => `${placeholder}::bpchar::text`,
  list: (placeholder) => `${placeholder}::bpchar[]::text[]`,
};

/**
 * Gives the comparison of a column's texts to the last letter; undefined where `=` is that. MySQL and MariaDB compare as a collation
 * says that metadata may not know, and blanks at the end with none of them.
 *
 * @param collation of the column, as metadata has it
 */
export function exactTextOf(
  platform: AbstractSqlPlatform,
  property: EntityProperty,
  collation: string | undefined,
): ExactText | undefined {
  if (!holdsLetters(property)) return undefined;
  if (platform instanceof BaseMySqlPlatform) return ofMySql;
  if (platform instanceof SqlitePlatform)
    return collation === undefined || /^binary$/i.test(collation) ? undefined : ofSqlite;
  if (!(platform instanceof BasePostgreSqlPlatform)) return undefined;
  const type = storedType(property);
  if (looseType.test(type)) return ofPostgreSql;
  if (!isLooseCollation(collation)) return undefined;
  return filled.test(type) ? filledOfPostgreSql : ofPostgreSql;
}

/** True if the column of a property holds letters, as far as the name of its type says so. */
export function holdsLetters(property: EntityProperty): boolean {
  return letters.test(storedType(property));
}
