import { startOnExpress } from './nest.start.mjs';
import { byHandWithTenants, prepareTenants } from './nest-by-hand.tenants.mjs';

export const start = (url) => startOnExpress(byHandWithTenants(url), prepareTenants);
