import { UsageError } from '../command-line/usage.error.js';

/** The segments of a path that was typed as words, as `cities 5` or as `/cities/5`. */
export function segmentsOf(words: readonly string[]): string[] {
  return words.flatMap((word) => word.split('/')).filter((segment) => segment !== '');
}

/** The path of a request; what a segment holds is text, never an escape. @throws UsageError */
export function pathOf(segments: readonly string[]): string {
  try {
    return `/${segments.map(encodeURIComponent).join('/')}`;
  } catch (error) {
    throw new UsageError('The path holds a character that no address can have.', { cause: error });
  }
}
