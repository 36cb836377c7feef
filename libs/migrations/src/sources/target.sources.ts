import { readEntry, type SqlEntry } from './sql.entries.js';
import type { SourceText } from './source.text.js';

/** The entries of the target schema. */
export interface TargetEntries {
  /** Entries of the configuration or of a request, in their order. */
  readonly explicit: readonly SqlEntry[];
  /** Paths of additional migrations of modules, in module order. */
  readonly automatic: readonly string[];
}

/**
 * Reads every entry, those of modules first. A file that is reached more than once is kept once, at its last place,
 * so that an explicit entry wins (contract: Migrations).
 */
export async function readTarget({ explicit, automatic }: TargetEntries): Promise<readonly SourceText[]> {
  const entries = [...automatic.map(automaticEntry), ...explicit];
  const texts = (await Promise.all(entries.map(readEntry))).flat();
  const lastPlaces = new Map(texts.map(({ path }, place) => [path, place]));
  return texts.filter(({ path }, place) => path === undefined || lastPlaces.get(path) === place);
}

function automaticEntry(value: string): SqlEntry {
  return { name: value, value, mayBePath: true, mayBeMissing: true };
}
