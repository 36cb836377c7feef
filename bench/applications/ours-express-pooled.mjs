// This library behind PgBouncer, as docs/scaling.md says to set it up.
import { PostgreSqlDriver } from '@mikro-orm/postgresql';
import { recommendedOptions } from '@nest-endpoints/core';
import { startOnExpress } from './nest.start.mjs';
import { ours } from './ours.module.mjs';

const database = { ...recommendedOptions({ pooler: 'transaction' }), driver: PostgreSqlDriver };

export const start = (url) => startOnExpress(ours(url, { database }));
