/** A place in a text, as editors count: both from 1, a character is a code point. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** The places of a text. It is gone through once, however many are asked for. */
export class TextPositions {
  #lines: readonly number[] | undefined;
  #length = 0;

  constructor(private readonly text: string) {}

  /**
   * Finds the position of a character.
   *
   * @param characters the number of code points before it
   */
  at(characters: number): TextPosition {
    const lines = (this.#lines ??= this.#starts());
    const place = Math.min(Math.max(0, characters), this.#length);
    let [low, high] = [0, lines.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((lines[middle] ?? 0) <= place) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: place - (lines[low] ?? 0) + 1 };
  }

  /** The number of code points before each line. */
  #starts(): readonly number[] {
    const starts = [0];
    for (const character of this.text) {
      this.#length += 1;
      if (character === '\n') starts.push(this.#length);
    }
    return starts;
  }
}

/** Counts the code points of a text. PostgreSQL counts them, JavaScript counts UTF-16 units. */
export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
