import type { EntityProperty, Platform } from '@mikro-orm/core';
import { BaseMySqlPlatform, SqlitePlatform } from '@mikro-orm/sql';

/** The SQL names of MikroORM's types that have a width. */
const widths: ReadonlyMap<string, string> = new Map([
  ['string', 'varchar'],
  ['StringType', 'varchar'],
  ['varchar', 'varchar'],
  ['character', 'char'],
  ['CharacterType', 'char'],
  ['char', 'char'],
  ['smallint', 'smallint'],
  ['SmallIntType', 'smallint'],
  ['tinyint', 'tinyint'],
  ['TinyIntType', 'tinyint'],
]);

/** The texts of MySQL, which differ in their longest value alone. */
const sizedText = /^(?:tiny|medium|long)text$/;

/**
 * Gives the type of a property's column. SQLite's columns have no width: MikroORM makes each text a `text` and each small
 * integer an `integer` there, so the property's own facts count. Its `real` has double precision.
 */
export function declaredType(
  { columnTypes, type }: Partial<Pick<EntityProperty, 'columnTypes' | 'type'>>,
  platform: Platform,
): string {
  const [declared = ''] = columnTypes ?? [];
  if (platform instanceof BaseMySqlPlatform && sizedText.test(declared)) return 'text';
  if (!(platform instanceof SqlitePlatform)) return declared;
  if (declared === 'real') return 'double precision';
  return declared === 'text' || declared === 'integer' ? (widths.get(type ?? '') ?? declared) : declared;
}
