import { HealthCheck, type RequestContext } from '@nest-endpoints/core';

async function database({ em }: RequestContext): Promise<void> {
  await em.execute('select 1');
}

/** `/health` tells that the process answers; `/ready` that its database does too, and that the process is to stay. */
export const healthEndpoints = [
  new HealthCheck({ url: 'health' }),
  new HealthCheck({ url: 'ready', callables: [database], failsOnShutdown: true }),
];
