import { UsageError } from './usage.error.js';

/** Text that was found to be JSON; kept as text, because its numbers may have more digits than a number here. */
export interface JsonText {
  readonly text: string;
  readonly value: unknown;
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
