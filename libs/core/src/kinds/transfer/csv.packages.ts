import { createRequire } from 'node:module';
import type * as parsing from 'csv-parse';
import type * as writing from 'csv-stringify/sync';

const require = createRequire(import.meta.url);

/** Loads the reader of CSV. Most applications have no use for it. */
export function csvParser(): (typeof parsing)['parse'] {
  return (require('csv-parse') as typeof parsing).parse;
}

/** Loads the writer of CSV. */
export function csvWriter(): (typeof writing)['stringify'] {
  return (require('csv-stringify/sync') as typeof writing).stringify;
}
