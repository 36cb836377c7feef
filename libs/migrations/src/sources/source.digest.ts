import { createHash } from 'node:crypto';
import type { SourceText } from './source.text.js';

/** A short text that differs whenever the SQL does; where the SQL came from does not matter. */
export function digestOf(sources: readonly SourceText[]): string {
  const hash = createHash('sha256');
  // With its length, so that no text can pass for two others.
  for (const { text } of sources) hash.update(`${text.length}:`).update(text);
  return hash.digest('hex');
}
