import { BasePostgreSqlPlatform, type AbstractSqlPlatform } from '@mikro-orm/sql';
import { itemsOf } from './array.text.js';

/**
 * Makes MikroORM write the arrays of PostgreSQL so that they are read back as they were. Its own `marshallArray` does not
 * quote the text NULL, nor white space at the ends of an item, and escapes line breaks as JSON does. Its own
 * `unmarshallArray` looks through the rest of the text for every item, which takes seconds for a megabyte.
 */
export function keepArraysExact(platform: AbstractSqlPlatform): void {
  if (!(platform instanceof BasePostgreSqlPlatform)) return;
  platform.marshallArray = arrayLiteral;
  platform.unmarshallArray = itemsOf as (text: string) => string[];
}

export type Item = string | number | bigint | boolean | null | undefined;

/** The input syntax of PostgreSQL's arrays (PostgreSQL documentation, 8.15.6), every text in quotes. */
export function arrayLiteral(items: readonly Item[]): string {
  let text = '{';
  let glue = '';
  for (const item of items) {
    text += glue + itemLiteral(item);
    glue = ',';
  }
  return `${text}}`;
}

const hidden = /["\\]/;

function itemLiteral(item: Item): string {
  if (typeof item === 'string')
    return hidden.test(item) ? `"${item.replace(/["\\]/g, String.raw`\$&`)}"` : `"${item}"`;
  return item === null || item === undefined ? 'NULL' : String(item);
}
