import type { MikroORM } from '@mikro-orm/core';

/** Gives the reason why the pool of a MikroORM cannot be used past it; undefined when it can. */
export function reasonAgainstPool({ em, config }: MikroORM): string | undefined {
  if (!isDriver(em.getDriver(), 'PostgreSqlDriver'))
    return 'the driver is not the one of @mikro-orm/postgresql';
  const all = [config.getAll(), ...(config.get('replicas') ?? [])];
  if (all.some(({ driverOptions }) => typeof driverOptions === 'function' || isKysely(driverOptions)))
    return 'driverOptions bring a client of their own';
  if (all.some((one) => one.onCreateConnection !== undefined || one.onReserveConnection !== undefined))
    return 'MikroORM prepares each connection (onCreateConnection, onReserveConnection)';
  if (config.get('sessionContext') === 'connection') return 'MikroORM sets a session on each connection';
  return undefined;
}

/** True if a driver has this name. The package is not ours to require: an application may do without it. */
export function isDriver(driver: object, name: 'PostgreSqlDriver' | 'PgliteDriver'): boolean {
  for (let type: unknown = driver.constructor; typeof type === 'function'; type = Object.getPrototypeOf(type))
    if (type.name === name) return true;
  return false;
}

function isKysely(options: unknown): boolean {
  if (typeof options !== 'object' || options === null) return false;
  return 'createDriver' in options || 'getExecutor' in options;
}
