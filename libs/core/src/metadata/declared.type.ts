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

/** The digits that MySQL gives a type which says none; PostgreSQL keeps all of them then. */
const bare = [
  [/^(?:numeric|decimal)\b(?! ?\()/, '(10,0)'],
  [/^(?:datetime|timestamp)\b(?! ?\()/, '(0)'],
] as const;

function withDigits(declared: string): string {
  for (const [type, digits] of bare) if (type.test(declared)) return declared.replace(type, `$&${digits}`);
  return declared;
}

/**
 * Gives the type of a property's column. SQLite's columns have no width: MikroORM makes each text a `text` and each small
 * integer an `integer` there, so the property's own facts count. Its `real` has double precision.
 */
export function declaredType(
  { columnTypes, type }: Partial<Pick<EntityProperty, 'columnTypes' | 'type'>>,
  platform: Platform,
): string {
  const [declared = ''] = columnTypes ?? [];
  if (platform instanceof BaseMySqlPlatform) return sizedText.test(declared) ? 'text' : withDigits(declared);
  if (!(platform instanceof SqlitePlatform)) return declared;
  if (declared === 'real') return 'double precision';
  return declared === 'text' || declared === 'integer' ? (widths.get(type ?? '') ?? declared) : declared;
}
