import type { DatabaseSettings } from '../atlas.settings.js';
import { openEmbeddedDatabase } from './embedded.database.js';
import type { OpenDatabase } from './open.database.js';
import { openServerDatabase } from './server.database.js';

/** @throws StartRefusal when another process has the embedded database open. */
export async function openDatabase(settings: DatabaseSettings): Promise<OpenDatabase> {
  return settings.kind === 'server'
    ? openServerDatabase(settings)
    : openEmbeddedDatabase(settings.directory);
}
