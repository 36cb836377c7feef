/** A place in a text, as editors count: both from 1, a character is a code point. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/**
 * Where a character stands.
 *
 * @param characters how many code points stand before it
 */
export function positionOf(text: string, characters: number): TextPosition {
  let line = 1;
  let column = 1;
  let left = characters;
  for (const character of text) {
    if (left-- <= 0) break;
    if (character === '\n') {
      line += 1;
      column = 1;
    } else column += 1;
  }
  return { line, column };
}

/** How many code points a text has. PostgreSQL counts them, JavaScript counts UTF-16 units. */
export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
