import { ChangeOrigins } from '../../endpoint/request/change.origins.js';
import type { RootOptions } from '../../endpoint/options/settings.js';
import type { Storage } from '../../endpoint/storage.js';

/** Has the log of changes told who makes them. */
export function tellOrigins({ changes, orm }: Storage['database'], { changeLog = {} }: RootOptions): void {
  if (changes === undefined) return;
  const origins = new ChangeOrigins(changeLog, (problem) => {
    orm.config.getLogger().warn('info', `The log of changes: ${problem}`);
  });
  changes.toldBy(() => origins.current);
}
