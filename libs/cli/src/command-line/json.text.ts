import { UsageError } from './usage.error.js';

/** Text that was found to be JSON; kept as text, because its numbers may have more digits than a number here. */
export interface JsonText {
  readonly text: string;
  readonly value: unknown;
}

/**
 * Gives the text of bytes, without a mark of their order.
 *
 * @param origin how messages call the place they come from
 * @throws UsageError where they are not UTF-8: what stands for them would be stored
 */
export function decoded(bytes: Uint8Array, origin: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new UsageError(`${origin} is not UTF-8.`, { cause: error });
  }
}

/**
 * @param origin how messages call the place it comes from
 * @throws UsageError
 */
export function readJson(text: string, origin: string): JsonText {
  try {
    return { text, value: JSON.parse(text) as unknown };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${origin} is not valid JSON: ${reason}`, { cause: error });
  }
}
