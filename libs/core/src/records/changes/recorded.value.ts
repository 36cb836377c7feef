import type { Platform } from '@mikro-orm/core';
import { typeComplaint, type Column } from '../../model/column.js';

/** A value of the log: its text as the database tells it, and what it is in JSON. */
export interface RecordedValue {
  readonly text: string | null;
  readonly json: unknown;
}

/**
 * The JSON text of a value of the log, as answers show the column. Undefined where it is none of the column's type: a migration
 * may have changed that since.
 */
export function recordedWire(
  column: Column,
  { text, json }: RecordedValue,
  platform: Platform,
): string | undefined {
  if (text === null) return 'null';
  const { type, conversion } = column;
  if (type.storage !== 'scalar') return JSON.stringify(json);
  try {
    if (conversion !== undefined) {
      const value: unknown = conversion.convertToJSValue(text, platform);
      return value === null || value === undefined ? 'null' : type.toWire(value);
    }
    const wire = type.toWire(type.isBoolean ? json : text);
    const shown: unknown = JSON.parse(wire);
    return typeComplaint(column, shown) === undefined ? wire : undefined;
  } catch {
    return undefined;
  }
}
