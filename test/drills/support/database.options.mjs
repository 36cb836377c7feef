import { MariaDbDriver } from '@mikro-orm/mariadb';
import { PostgreSqlDriver } from '@mikro-orm/postgresql';
import { recommendedMySqlOptions, recommendedOptions } from '@nest-endpoints/core';

/** The options of MikroORM that we recommend for the database of a URL. @param limits the time limits of both */
export function databaseOptions(url, limits) {
  const isMariaDb = url.startsWith('mysql:');
  return {
    ...(isMariaDb ? recommendedMySqlOptions(limits) : recommendedOptions(limits)),
    driver: isMariaDb ? MariaDbDriver : PostgreSqlDriver,
    clientUrl: url,
  };
}
