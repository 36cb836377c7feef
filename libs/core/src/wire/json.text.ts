import { AnswerTooLong, longestAnswer } from './refusals.js';

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
    const one = sayable(() => write(item));
    if (text.length + one.length > longestAnswer) throw new AnswerTooLong();
    text += glue + one;
    glue = ',';
  }
  return `${text}]`;
}

/**
 * Makes sure that a plain value is short enough, while what it tells of can be undone. What JSON cannot say, an interceptor of the
 * user's may replace.
 * @throws AnswerTooLong
 */
export function refuseTooLong(data: unknown): void {
  let length = 0;
  for (const item of Array.isArray(data) ? (data as readonly unknown[]) : [data]) {
    length += sayable(() => lengthOf(item));
    if (length > longestAnswer) throw new AnswerTooLong();
  }
}

function lengthOf(value: unknown): number {
  try {
    return JSON.stringify([value]).length;
  } catch (error) {
    if (error instanceof TypeError) return 0;
    throw error;
  }
}

/** @throws AnswerTooLong where a text would be longer than V8 can have it */
function sayable<T>(write: () => T): T {
  try {
    return write();
  } catch (error) {
    if (error instanceof RangeError) throw new AnswerTooLong();
    throw error;
  }
}

/** The JSON text of a plain value. @throws TypeError for what JSON cannot say: a BigInt, a cycle, a function, a symbol */
export function jsonOf(value: unknown): string {
  if (value === undefined) return 'null';
  const text = JSON.stringify(value) as string | undefined;
  if (text === undefined) throw new TypeError(`An answer cannot be a ${typeof value}`);
  return text;
}

/** JSON text that stands as it is in what `JSON.stringify` writes: V8 has it, the types of TypeScript do not. */
const rawJson = Reflect.get(JSON, 'rawJSON') as (text: string) => { readonly rawJSON: string };
const isRawJson = Reflect.get(JSON, 'isRawJSON') as (value: unknown) => value is { readonly rawJSON: string };

/**
 * Reads JSON that is written again: a number that JavaScript has no equal of, `1.10` or a whole one beyond 2^53, is written as it was
 * read. {@link withNumberTexts} has its text.
 */
export function exactJson(text: string): unknown {
  return parsedExactly(text, rawJson);
}

/** Reads JSON. A number that JavaScript has no equal of is what is made of its text. */
export function parsedExactly(text: string, made: (source: string) => unknown): unknown {
  return JSON.parse(text, (_name, value: unknown, ...[context]: readonly unknown[]) => {
    const { source } = Object(context) as { readonly source?: string };
    return typeof value !== 'number' || source === undefined || source === String(value)
      ? value
      : made(source);
  });
}

/** Gives what {@link exactJson} has read with the texts of the numbers that it kept, in lists of any depth. */
export function withNumberTexts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withNumberTexts);
  return isRawJson(value) ? value.rawJSON : value;
}

/**
 * The JSON text of a value that was read from JSON. JSON has numbers that JavaScript has not: 1e400 is read as Infinity, of which
 * `JSON.stringify` makes null. Here it stays a number.
 */
export function jsonAsRead(value: unknown): string {
  const text = JSON.stringify(value);
  // Few values have null, and few of these a number that became one.
  if (!text.includes('null') || !hasInfinity(value)) return text;
  return JSON.stringify(value, (_name, one: unknown) => {
    if (typeof one !== 'number' || Number.isFinite(one)) return one;
    return rawJson(one < 0 ? '-1e400' : '1e400');
  });
}

function hasInfinity(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(hasInfinity);
}
