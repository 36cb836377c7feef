import { ownTenant } from '../database/tenant.tables.mjs';
import { makeToken } from './token.mjs';

/** Makes the token of the tenant; applications and load generator, started later, find it in their environment. */
export function prepareTenantToken() {
  const { keys, token } = makeToken({ tenant: ownTenant });
  process.env.BENCH_KEYS = keys;
  process.env.BENCH_TENANT_TOKEN = token;
}
