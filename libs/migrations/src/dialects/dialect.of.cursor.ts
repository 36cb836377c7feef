import { CancellableDatabase, type WorkCancellation } from '../database/cancellable.database.js';
import { connectionOf, databaseOf } from '../database/database.of.cursor.js';
import { MariaDbDatabase, isMySqlPool } from '../mariadb/mariadb.database.js';
import { MariaDbDialect } from '../mariadb/mariadb.dialect.js';
import type { MigrationDialect } from './migration.dialect.js';
import { PostgresqlDialect } from './postgresql.dialect.js';

/**
 * The dialect of the database behind a cursor.
 *
 * @param cancellation the one of the request that it works for; undefined where nobody gives the work up
 * @throws MigrationFailure when it cannot be migrated
 */
export async function dialectOf(cursor: unknown, cancellation?: WorkCancellation): Promise<MigrationDialect> {
  const client: unknown = await connectionOf(cursor)?.getNativeClient();
  if (isMySqlPool(client)) return new MariaDbDialect(new MariaDbDatabase(client, cancellation));
  const database = await databaseOf(cursor);
  return new PostgresqlDialect(
    cancellation === undefined ? database : new CancellableDatabase(database, cancellation),
  );
}
