import { RateLimit } from '@nest-endpoints/limits';
import { startOnExpress } from './nest.start.mjs';
import { ours } from './ours.module.mjs';
import { postgresLimits } from './postgres.limits.mjs';
import { quota, window } from './quota.mjs';

export const start = (url) => {
  const store = postgresLimits(url);
  return startOnExpress(ours(url, { limits: [new RateLimit({ quota, window, store })] }));
};
