import { startOnExpress } from './nest.start.mjs';
import { ours } from './ours.module.mjs';
import { withPolicies } from './ours.tenants.mjs';

export const start = (url) => startOnExpress(ours(url, withPolicies()));
