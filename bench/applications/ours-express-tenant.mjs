import { startOnExpress } from './nest.start.mjs';
import { ours } from './ours.module.mjs';
import { withTenants } from './ours.tenants.mjs';

export const start = (url) => startOnExpress(ours(url, withTenants()));
