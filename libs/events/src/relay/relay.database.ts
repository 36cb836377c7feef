import type { MikroORM } from '@mikro-orm/core';
import { ConfigurationError } from '@nest-endpoints/core';
import { PostgresRelay, type PostgresPool } from './postgres.relay.js';
import type { RelayDatabase } from './relay.sql.js';
import { SharedRelay } from './shared.relay.js';

/** The drivers of MikroORM that lead to PostgreSQL; true where one session is all there is. */
const drivers = new Map([
  ['PostgreSqlDriver', false],
  ['PgliteDriver', true],
]);

/** The relay's way to the database of a MikroORM. @throws ConfigurationError where that is not PostgreSQL */
export function relayDatabase(orm: MikroORM): RelayDatabase {
  const isShared = driverNames(orm.em.getDriver())
    .map((name) => drivers.get(name))
    .find((known) => known !== undefined);
  if (isShared === undefined)
    throw new ConfigurationError(
      'EventsModule',
      'deliver',
      'needs PostgreSQL, whose log of changes can be read in order',
    );
  if (isShared) return new SharedRelay(orm);
  const connection = orm.em.getConnection() as unknown as { getNativeClient(): Promise<PostgresPool> };
  return new PostgresRelay(() => connection.getNativeClient());
}

/** The names of a driver's class and of those that it extends. */
function driverNames(driver: object): readonly string[] {
  const names: string[] = [];
  for (let of: unknown = driver.constructor; typeof of === 'function'; of = Object.getPrototypeOf(of))
    names.push(of.name);
  return names;
}
