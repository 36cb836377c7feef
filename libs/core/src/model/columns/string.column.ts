import { ColumnType } from '../column.type.js';
import type { JsonSchema } from '../json.schema.js';

/** Text, kept as it is. */
export class StringColumn extends ColumnType {
  readonly name: string = 'String';
  readonly schema: JsonSchema = { type: 'string' };

  complaint(value: unknown): string | undefined {
    if (typeof value !== 'string') return 'value should be a string';
    return isStorable(value) ? undefined : 'value contains characters that cannot be stored';
  }

  toWire(value: unknown): string {
    return JSON.stringify(String(value));
  }
}

/** PostgreSQL stores neither NUL nor an unpaired surrogate (its encoding is UTF-8). */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}
