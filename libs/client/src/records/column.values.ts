import type { ApiSchema } from '../document/api.document.js';
import { allowsType } from '../document/schema.reader.js';

/**
 * A value in the type that the document says, where a form or an address made it a text. What does not fit stays as it is: the
 * service says what is wrong.
 */
export function typedValue(schema: ApiSchema, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => typedValue(schema, one));
  if (typeof value !== 'string' || allowsType(schema, 'string')) return value;
  if (allowsType(schema, 'integer') || allowsType(schema, 'number')) {
    const number = Number(value);
    // A number that is not exact is left as the text that it is, and so is what JSON has no number for.
    return Number.isFinite(number) && value.trim() !== '' && String(number) === value ? number : value;
  }
  if (allowsType(schema, 'boolean') && (value === 'true' || value === 'false')) return value === 'true';
  return value;
}
