import type { MikroORM } from '@mikro-orm/core';
import { ConfigurationError } from '@nest-endpoints/core';
import { PostgresRelay, type PostgresPool } from './postgres.relay.js';
import type { RelayDatabase } from './relay.sql.js';
import { SharedRelay } from './shared.relay.js';

/** The relay's way to the database of a MikroORM. @throws ConfigurationError where that is not PostgreSQL */
export async function relayDatabase(orm: MikroORM): Promise<RelayDatabase> {
  const { name } = orm.em.getPlatform().constructor;
  if (!/Postgre|Pglite/i.test(name))
    throw new ConfigurationError(
      'EventsModule',
      'deliver',
      'needs PostgreSQL, whose log of changes can be read in order',
    );
  const connection = orm.em.getConnection() as unknown as { getNativeClient(): Promise<unknown> };
  const client = (await connection.getNativeClient()) as Partial<PostgresPool>;
  return client.options === undefined ? new SharedRelay(orm) : new PostgresRelay(client as PostgresPool);
}
