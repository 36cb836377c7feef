/** The members of the envelope that documents and answers always tell. */
export const envelope = ['status', 'data', 'input_errors'] as const;

/** Gives the letters of a name alone: `input_errors`, `inputErrors` and `InputErrors` are one word in several casings. */
export const lettersOf = (name: string): string => name.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase();

/** Finds the name that is this word in whatever casing; undefined where none is. */
export function nameLike(names: Iterable<string>, word: string): string | undefined {
  const known = [...names];
  const letters = lettersOf(word);
  return known.find((name) => name === word) ?? known.find((name) => lettersOf(name) === letters);
}

/** Gives the own member of an object that is called by this word in whatever casing. */
export function memberLike(value: unknown, word: string): unknown {
  if (!isObject(value)) return undefined;
  const name = nameLike(Object.keys(value), word);
  return name === undefined ? undefined : value[name];
}

/** True if there is a name for each of the words, in whatever casing. */
export function hasNames(names: readonly string[], words: readonly string[]): boolean {
  return words.every((word) => nameLike(names, word) !== undefined);
}

/** True for an object that is no list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
