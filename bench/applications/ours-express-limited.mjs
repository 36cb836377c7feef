import { RateLimit } from '@nest-endpoints/limits';
import { startOnExpress } from './nest.start.mjs';
import { ours } from './ours.module.mjs';
import { quota, window } from './quota.mjs';

export const start = (url) => startOnExpress(ours(url, { limits: [new RateLimit({ quota, window })] }));
