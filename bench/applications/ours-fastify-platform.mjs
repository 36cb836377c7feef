import helmet from '@fastify/helmet';
import { endpointsFastifyOptions } from '@nest-endpoints/core';
import { startOnFastify } from './nest.start.mjs';
import { ours } from './ours.module.mjs';
import { logRequests } from './platform.road.mjs';

export const start = (url) =>
  startOnFastify(ours(url), endpointsFastifyOptions(), async (app) => {
    await app.register(helmet);
    logRequests(app);
  });
