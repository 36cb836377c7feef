import { isRounded } from '../../model/values/rounded.number.js';
import { isStorable } from '../../model/values/storable.text.js';

/**
 * Writes the value of a variable of row level security, which is a text in a session. A claim may be anything, whatever its type
 * says, and no two values may become one text: that would be the text of somebody else.
 *
 * @throws TypeError for anything but a text that the database can have, a number that is what was sent, a boolean or an instant
 */
export function sessionText(name: string, value: unknown): string {
  const text = value instanceof Date ? value.toISOString() : scalarText(value);
  if (text !== undefined && isStorable(name) && isStorable(text)) return text;
  throw new TypeError(`The variable ${name} of row level security has a value that no variable may have`);
}

/** Undefined for what is no scalar, and for a number that may have been another one. */
function scalarText(value: unknown): string | undefined {
  if (typeof value === 'number')
    return Number.isFinite(value) && !isRounded(value) ? String(value) : undefined;
  return ['string', 'bigint', 'boolean'].includes(typeof value) ? String(value) : undefined;
}

const settingTexts: string[] = [];

/** Writes the statement that sets so many settings until the transaction ends: their names and values are its parameters. */
export function settingText(count: number): string {
  return (settingTexts[count] ??= `select ${Array.from(
    { length: count },
    (_, index) => `set_config($${2 * index + 1}, $${2 * index + 2}, true)`,
  ).join(', ')}`);
}
