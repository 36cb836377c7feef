import { startOnFastify } from './nest.start.mjs';
import { byHandWithTenants, prepareTenants } from './nest-by-hand.tenants.mjs';

export const start = (url) => startOnFastify(byHandWithTenants(url), {}, prepareTenants);
