import type { Column } from '../model/column.js';

/** A key as a driver or an entity holds it: the one may have text where the other has a number. */
export type RecordKey = string | number | bigint;

/** The key that an entity has: an instant as ISO 8601 writes it, which its type reads as it reads a client's. */
export function recordKey(value: unknown): RecordKey {
  return (value instanceof Date ? value.toISOString() : value) as RecordKey;
}

/** The text by which a key is known, in whichever of its forms: drivers, entities and JSON have an instant in one of their own each. */
export function recordKeyText({ type, conversion }: Column, key: unknown): string {
  return conversion === undefined ? type.keyText(key) : String(key);
}
