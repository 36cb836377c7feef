import type { MikroORM } from '@mikro-orm/core';

/** The classes of drivers that are known here; that of `@mikro-orm/mariadb` is one of MySQL. */
export type DriverName = 'PostgreSqlDriver' | 'PgliteDriver' | 'MySqlDriver';

/** Gives the reason why connections cannot be used past MikroORM, whatever the driver; undefined when they can. */
export function reasonAgainstSharing({ config }: MikroORM): string | undefined {
  const all = [config.getAll(), ...(config.get('replicas') ?? [])];
  if (all.some(({ driverOptions }) => typeof driverOptions === 'function' || isKysely(driverOptions)))
    return 'driverOptions bring a client of their own';
  if (all.some((one) => one.onReserveConnection !== undefined))
    return 'MikroORM prepares each connection (onReserveConnection)';
  if (config.get('sessionContext') === 'connection') return 'MikroORM sets a session on each connection';
  return undefined;
}

/** True if a driver has this name. The package is not ours to require: an application may do without it. */
export function isDriver(driver: object, name: DriverName): boolean {
  for (let type: unknown = driver.constructor; typeof type === 'function'; type = Object.getPrototypeOf(type))
    if (type.name === name) return true;
  return false;
}

/** The most connections of a pool of PostgreSQL, MariaDB or MySQL: their drivers make ten where nobody says another number. */
export function mostConnections({ config }: MikroORM): number {
  const given = Object(config.get('driverOptions')) as Readonly<Record<string, unknown>>;
  const most = given['max'] ?? given['connectionLimit'] ?? config.get('pool').max;
  return typeof most === 'number' ? most : 10;
}

function isKysely(options: unknown): boolean {
  if (typeof options !== 'object' || options === null) return false;
  return 'createDriver' in options || 'getExecutor' in options;
}
