import { defineEntity, p } from '@mikro-orm/core';
import { person } from './entities.mjs';

/** Deleted records are left out, wherever MikroORM's filters hold. */
const live = { live: { name: 'live', cond: { deletedAt: null }, default: true } };

/** The orders that the tables of tenants have indexes for. */
const orders = [['id'], ['age', 'id'], ['lastName', 'id'], ['createdAt', 'id'], ['score'], ['company']];

/** The entities of an application with tenants; `tenantId` is the property that tells the tenant. */
export function tenantEntities(tenantId, further = {}) {
  const filters = { ...live, ...further };
  const indexes = orders.map((order) => ({ properties: ['tenantId', ...order], where: { deletedAt: null } }));
  const properties = { ...person, tenantId, deletedAt: p.datetime().nullable() };
  return {
    User: defineEntity({ name: 'User', tableName: 'tenant_users', properties, filters, indexes }),
    Staff: defineEntity({ name: 'Staff', tableName: 'tenant_staff', properties, filters, indexes }),
  };
}

/** The tenant of a record, which the application says when it makes one. */
export const saidTenant = () => p.string().length(36);

/** The tenant of a record, which the database takes from the variable of its policy. */
export const policedTenant = () => saidTenant().defaultRaw("current_setting('app.tenant', true)");
