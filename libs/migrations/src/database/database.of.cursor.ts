import { Connection, EntityManager, MikroORM } from '@mikro-orm/core';
import { BasePostgreSqlPlatform } from '@mikro-orm/sql';
import { MigrationFailure } from '../migration.failure.js';
import { PgliteDatabase, type Pglite } from './pglite.database.js';
import { PostgresqlDatabase, type PgPool } from './postgresql.database.js';
import type { TargetDatabase } from './target.database.js';

/** What leads to a database: MikroORM, an entity manager of it, or a connection. */
export type Cursor = MikroORM | EntityManager | Connection;

/** Whether a cursor may lead to a database that can be migrated, as far as that is known without connecting. */
export function isPostgresql(cursor: Cursor): boolean {
  if (cursor instanceof MikroORM) return isPostgresql(cursor.em);
  if (cursor instanceof EntityManager) return cursor.getPlatform() instanceof BasePostgreSqlPlatform;
  return cursor instanceof Connection;
}

/** The database behind a cursor. @throws MigrationFailure when it is neither PostgreSQL nor PGlite */
export async function databaseOf(cursor: unknown): Promise<TargetDatabase> {
  const connection = connectionOf(cursor);
  const client: unknown = await connection?.getNativeClient();
  if (isPool(client)) return new PostgresqlDatabase(client);
  if (isPglite(client)) return new PgliteDatabase(client);
  throw new MigrationFailure('migrations need a connection of MikroORM to PostgreSQL or PGlite');
}

function connectionOf(cursor: unknown): Connection | undefined {
  if (cursor instanceof MikroORM) return connectionOf(cursor.em);
  if (cursor instanceof EntityManager) return cursor.getDriver().getConnection('write');
  return cursor instanceof Connection ? cursor : undefined;
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
