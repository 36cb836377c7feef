import { constants } from 'node:buffer';
import { AnswerTooLong } from './refusals.js';

/** The most characters of data in an answer: as many as a text can have, less what stands around them. */
export const longestAnswer = constants.MAX_STRING_LENGTH - 1_048_576;

/**
 * Characters that JSON text need not escape (RFC 8259, 7). Lone surrogates, which `JSON.stringify` escapes, are not among
 * them.
 */
const plain = /^[\u0020\u0021\u0023-\u005b\u005d-\ud7ff\ue000-\uffff]*$/;

/** A JSON string. Most texts need nothing but quotes, which is quicker to see than to have done. */
export function jsonString(text: string): string {
  return plain.test(text) ? `"${text}"` : JSON.stringify(text);
}

/** The JSON text of a list. @throws AnswerTooLong before there is a text that is longer than a text can be */
export function listText<T>(items: Iterable<T>, write: (item: T) => string): string {
  let text = '[';
  let glue = '';
  for (const item of items) {
    const one = write(item);
    if (text.length + one.length > longestAnswer) throw new AnswerTooLong(longestAnswer);
    text += glue + one;
    glue = ',';
  }
  return `${text}]`;
}

/**
 * Makes sure that a plain value can be said, while what it tells of can be undone.
 * @throws AnswerTooLong, and TypeError for what JSON cannot say
 */
export function refuseUnsayable(data: unknown): void {
  let length = 0;
  for (const item of Array.isArray(data) ? (data as readonly unknown[]) : [data]) {
    length += JSON.stringify([item]).length;
    if (length > longestAnswer) throw new AnswerTooLong(longestAnswer);
  }
}

/** The JSON text of a plain value. @throws TypeError for what JSON cannot say: a BigInt, a cycle, a function, a symbol */
export function jsonOf(value: unknown): string {
  if (value === undefined) return 'null';
  const text = JSON.stringify(value) as string | undefined;
  if (text === undefined) throw new TypeError(`An answer cannot be a ${typeof value}`);
  return text;
}
