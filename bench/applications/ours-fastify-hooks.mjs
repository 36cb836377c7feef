import { endpointsFastifyOptions } from '@nest-endpoints/core';
import { lifeCycle } from './life.cycle.mjs';
import { startOnFastify } from './nest.start.mjs';
import { ours } from './ours.module.mjs';

export const start = (url) => startOnFastify(ours(url, { lifeCycle }), endpointsFastifyOptions());
