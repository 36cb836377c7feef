import { endpointsFastifyOptions } from '@nest-endpoints/core';
import { startOnFastify } from './nest.start.mjs';
import { ours } from './ours.module.mjs';
import { withTenants } from './ours.tenants.mjs';

export const start = (url) => startOnFastify(ours(url, withTenants()), endpointsFastifyOptions());
