import type { JsonSchema } from '../../json.schema.js';
import { isStorable, notStorableMessage } from '../../values/storable.text.js';

/** The longest text that is searched for, in characters. */
const longestSearch = 1000;

/** The schema of a text that is searched for. */
export const searchText: JsonSchema = { type: 'string', minLength: 1, maxLength: longestSearch };

/** Gives what is wrong with a text that is searched for; undefined when nothing is. */
export function searchTextComplaint(value: unknown): string | undefined {
  if (typeof value !== 'string') return 'value should be a string';
  // Characters as people count them: those of two UTF-16 units are one.
  const { length } = value.length > 2 * longestSearch ? value : Array.from(value);
  if (length < 1 || length > longestSearch)
    return `value should be between 1 and ${longestSearch} characters long`;
  return isStorable(value) ? undefined : notStorableMessage;
}

/** True if a database type holds texts, so that words can be looked for. */
export function isTextType(databaseType: string): boolean {
  return /^(?:text|citext|varchar|character varying|char|character)$/.test(databaseType);
}
