import type { DatabaseSettings } from '../atlas.settings.js';
import type { OpenDatabase } from './open.database.js';
import { openServerDatabase } from './server.database.js';

/** @throws StartRefusal when another process has the embedded database open. */
export async function openDatabase(settings: DatabaseSettings): Promise<OpenDatabase> {
  if (settings.kind === 'server') return openServerDatabase(settings);
  // PGlite is a whole PostgreSQL: nobody else has to load it.
  const { openEmbeddedDatabase } = await import('./embedded.database.js');
  return openEmbeddedDatabase(settings.directory);
}
