/**
 * Characters that JSON text need not escape (RFC 8259, 7). Lone surrogates, which `JSON.stringify` escapes, are not among
 * them.
 */
const plain = /^[\u0020\u0021\u0023-\u005b\u005d-\ud7ff\ue000-\uffff]*$/;

/** A JSON string. Most texts need nothing but quotes, which is quicker to see than to have done. */
export function jsonString(text: string): string {
  return plain.test(text) ? `"${text}"` : JSON.stringify(text);
}

/** The JSON text of a plain value. @throws TypeError for what JSON cannot say: a BigInt, a cycle, a function, a symbol */
export function jsonOf(value: unknown): string {
  if (value === undefined) return 'null';
  const text = JSON.stringify(value) as string | undefined;
  if (text === undefined) throw new TypeError(`An answer cannot be a ${typeof value}`);
  return text;
}
