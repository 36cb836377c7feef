// The real application: remembered tokens, the records of a tenant, a filter of MikroORM. And the one whose database
// keeps the tenants apart.
import { TenantRecords } from '@nest-endpoints/auth';
import { memberRole } from '../database/tenant.tables.mjs';
import { jwks } from './jwks.mjs';
import { policedTenant, saidTenant, tenantEntities } from './tenant.entities.mjs';

export const withTenants = () => ({
  entities: tenantEntities(saidTenant()),
  authentication: jwks(),
  authorization: new TenantRecords({ columnName: 'tenantId', claim: 'tenant' }),
});

export const withPolicies = () => ({
  entities: tenantEntities(policedTenant()),
  authentication: jwks(),
  rowLevelSecurity: {
    variables: (identity) => ({ 'app.tenant': identity?.tenant }),
    role: memberRole,
  },
});
