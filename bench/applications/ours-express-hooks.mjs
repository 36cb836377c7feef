import { lifeCycle } from './life.cycle.mjs';
import { startOnExpress } from './nest.start.mjs';
import { ours } from './ours.module.mjs';

export const start = (url) => startOnExpress(ours(url, { lifeCycle }));
