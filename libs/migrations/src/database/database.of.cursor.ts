import { Connection, EntityManager, MikroORM } from '@mikro-orm/core';
import { BaseMySqlPlatform, BasePostgreSqlPlatform } from '@mikro-orm/sql';
import { MigrationFailure } from '../migration.failure.js';
import { PgliteDatabase, type Pglite } from './pglite.database.js';
import { PostgresqlDatabase, type PgPool } from './postgresql.database.js';
import type { TargetDatabase } from './target.database.js';

/** An object that leads to a database: MikroORM, an entity manager of it, or a connection. */
export type Cursor = OrmOfCursor | EntityManager | Connection;

/** A MikroORM, whatever its driver and entities. */
interface OrmOfCursor {
  readonly em: EntityManager;
}

/** The entity manager behind a cursor; a mere connection has none. */
export function entityManagerOf(cursor: unknown): EntityManager | undefined {
  const manager: unknown = cursor instanceof MikroORM ? cursor.em : cursor;
  return manager instanceof EntityManager ? manager : undefined;
}

/** True if a cursor may lead to a database that can be migrated, as far as that is known without connecting. */
export function mayBeMigrated(cursor: unknown): boolean {
  const manager = entityManagerOf(cursor);
  if (manager === undefined) return cursor instanceof Connection;
  const platform = manager.getPlatform();
  return platform instanceof BasePostgreSqlPlatform || platform instanceof BaseMySqlPlatform;
}

/** The connection behind a cursor. */
export function connectionOf(cursor: unknown): Connection | undefined {
  const connection = entityManagerOf(cursor)?.config.getDriver().getConnection('write') ?? cursor;
  return connection instanceof Connection ? connection : undefined;
}

/** The database behind a cursor. @throws MigrationFailure when it is neither PostgreSQL nor PGlite */
export async function databaseOf(cursor: unknown): Promise<TargetDatabase> {
  const connection = connectionOf(cursor);
  if (connection === undefined)
    throw new MigrationFailure(
      'the cursor is neither MikroORM nor an entity manager or a connection of it (or of another copy of @mikro-orm/core)',
    );
  const client: unknown = await connection.getNativeClient();
  if (isPool(client)) return new PostgresqlDatabase(client);
  if (isPglite(client)) return new PgliteDatabase(client);
  throw new MigrationFailure('migrations need a connection of MikroORM to PostgreSQL, PGlite or MariaDB');
}

function isPool(client: unknown): client is PgPool {
  return has(client, 'connect') && has(client, 'Client') && !has(client, 'transaction');
}

function isPglite(client: unknown): client is Pglite {
  return has(client, 'transaction') && has(client, 'execProtocol');
}

function has(value: unknown, method: string): boolean {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, method) === 'function';
}
