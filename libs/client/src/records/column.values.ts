import type { ApiSchema } from '../document/api.document.js';
import { allowsType } from '../document/schema.reader.js';

/** The numbers of JSON, and those with a plus. */
const written = /^[+-]?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/i;

/**
 * A value in the type that the document says, where a form or an address made it a text. What does not fit stays as it is: the
 * service says what is wrong.
 */
export function typedValue(schema: ApiSchema, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => typedValue(schema, one));
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'number' && !Number.isFinite(value)) return refusedNumber(schema, value);
  if (typeof value !== 'string' || allowsType(schema, 'string')) return value;
  if (allowsType(schema, 'integer') || allowsType(schema, 'number')) {
    const number = Number(value);
    // A number that is not exact is left as the text that it is, and so is what JSON has no number for.
    return written.test(value) && digitsOf(value) === digitsOf(String(number)) ? number : value;
  }
  if (allowsType(schema, 'boolean') && (value === 'true' || value === 'false')) return value === 'true';
  return value;
}

/** JSON would have null for it, which says something else. A column of numbers refuses its text. @throws TypeError for what takes texts */
function refusedNumber(schema: ApiSchema, value: number): string {
  if (allowsType(schema, 'string')) throw new TypeError(`JSON has no ${String(value)}`);
  return String(value);
}

/** The digits that count, however a number is written: of `2.50`, `+2.5` and `25e-1`. */
function digitsOf(number: string): string {
  return number.replace(/e.*|\D/gi, '').replace(/^0+|0+$/g, '');
}
