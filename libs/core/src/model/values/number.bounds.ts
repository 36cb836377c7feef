import { decimalText, isBelow, plainNumber } from './decimal.text.js';

/** True if a number, or the text of one with any number of digits, is not below a bound. */
export function isAtLeast(value: unknown, bound: number): boolean {
  const text = digitsOf(value);
  return text === undefined ? Number(value) >= bound : !isBelow(text, plainNumber(bound));
}

/** True if a number, or the text of one with any number of digits, is not above a bound. */
export function isAtMost(value: unknown, bound: number): boolean {
  const text = digitsOf(value);
  return text === undefined ? Number(value) <= bound : !isBelow(plainNumber(bound), text);
}

/** The digits of what has more of them than JavaScript's numbers; undefined where these say it exactly. */
function digitsOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'bigint' ? decimalText(value) : undefined;
}
