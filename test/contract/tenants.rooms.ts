import { defineEntity, p } from '@mikro-orm/core';
import { TenantRecords } from '@nest-endpoints/auth';
import { EndpointGroup, type EndpointOrGroup } from '@nest-endpoints/core';
import { Claims } from './claims.js';

export const House = defineEntity({
  name: 'House',
  properties: { id: p.integer().primary(), tenant: p.string(), name: p.string() },
});

export const Room = defineEntity({
  name: 'Room',
  properties: {
    id: p.integer().primary(),
    tenant: p.string(),
    name: p.string(),
    house: () => p.manyToOne(House).nullable(),
  },
});

/** Options of the endpoints of rooms, but for what they answer with. */
export const rooms = {
  modelClass: Room,
  writeableColumnNames: ['id', 'name', 'houseId'],
  searchableColumnNames: ['name'],
  sortableColumnNames: ['id'],
  defaultSortColumnName: 'id',
} as const;

/** Endpoints of the records of a tenant alone. */
export const ofTenants = (endpoints: readonly EndpointOrGroup[]): EndpointGroup =>
  new EndpointGroup({
    authentication: new Claims(),
    authorization: new TenantRecords({ columnName: 'tenant', claim: 'tenant' }),
    endpoints,
  });
