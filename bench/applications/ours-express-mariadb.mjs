import { MariaDbDriver } from '@mikro-orm/mariadb';
import { recommendedMySqlOptions } from '@nest-endpoints/core';
import { startOnExpress } from './nest.start.mjs';
import { ours } from './ours.module.mjs';

/** @param root options of `forRoot` */
export const onMariaDb = (url, root) =>
  startOnExpress(ours(url, { ...root, database: { ...recommendedMySqlOptions(), driver: MariaDbDriver } }));

export const start = (url) => onMariaDb(url, {});
