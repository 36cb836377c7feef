import { BasePostgreSqlPlatform, type AbstractSqlPlatform } from '@mikro-orm/sql';

/**
 * Makes MikroORM write the arrays of PostgreSQL so that they are read back as they were. Its own `marshallArray` leaves
 * the text NULL and white space at the ends of an item without quotes, and escapes line breaks as JSON does.
 */
export function writeArraysExactly(platform: AbstractSqlPlatform): void {
  if (platform instanceof BasePostgreSqlPlatform) platform.marshallArray = arrayLiteral;
}

export type Item = string | number | bigint | boolean | null | undefined;

/** The input syntax of PostgreSQL's arrays (PostgreSQL documentation, 8.15.6), every item in quotes. */
export function arrayLiteral(items: readonly Item[]): string {
  return `{${items.map(itemLiteral).join(',')}}`;
}

function itemLiteral(item: Item): string {
  if (item === null || item === undefined) return 'NULL';
  return `"${String(item).replace(/["\\]/g, String.raw`\$&`)}"`;
}
