import type { MikroOrmModuleSyncOptions } from '@mikro-orm/nestjs';
import type { DatabaseSettings } from '../atlas.settings.js';
import { openEmbeddedDatabase } from './embedded.database.js';
import { openServerDatabase } from './server.database.js';

/** A database that this process may use: how to connect, and what to give back after the last connection. */
export interface OpenDatabase {
  readonly options: Pick<MikroOrmModuleSyncOptions, 'driver' | 'dbName' | 'clientUrl' | 'ensureDatabase'>;
  release(): void;
}

/** @throws StartRefusal when another process holds the embedded database's directory. */
export async function openDatabase(settings: DatabaseSettings): Promise<OpenDatabase> {
  return settings.kind === 'server'
    ? openServerDatabase(settings.url)
    : openEmbeddedDatabase(settings.directory);
}
