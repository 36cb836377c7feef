import type { ColumnValues } from '../../record.store.js';

/** The values of columns as texts, by which equal ones are known. */
export function keyTexts(values: ColumnValues): readonly string[] {
  return [...values].map(([{ type }, value]) => type.keyText(type.toDatabase(value)));
}

/** One text of several, the same for letters that differ in their case alone: a collation may take them for the same. */
export function alikeKey(texts: readonly string[]): string {
  return JSON.stringify(texts).toLowerCase();
}
