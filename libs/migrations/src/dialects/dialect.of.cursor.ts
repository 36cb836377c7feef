import { connectionOf, databaseOf } from '../database/database.of.cursor.js';
import { MariaDbDatabase, isMySqlPool } from '../mariadb/mariadb.database.js';
import { MariaDbDialect } from '../mariadb/mariadb.dialect.js';
import type { MigrationDialect } from './migration.dialect.js';
import { PostgresqlDialect } from './postgresql.dialect.js';

/** The dialect of the database behind a cursor. @throws MigrationFailure when it cannot be migrated */
export async function dialectOf(cursor: unknown): Promise<MigrationDialect> {
  const client: unknown = await connectionOf(cursor)?.getNativeClient();
  if (isMySqlPool(client)) return new MariaDbDialect(new MariaDbDatabase(client));
  return new PostgresqlDialect(await databaseOf(cursor));
}
