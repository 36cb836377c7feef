import { SecretBearer } from '@nest-endpoints/auth';
import { CreateMany, DeleteMany, UpdateMany, type EndpointOrGroup } from '@nest-endpoints/core';
import { City } from './atlas.entities.js';

const environmentKey = 'BULK_SECRET';

/** `/cities/bulk`: many cities with one request, for whoever knows the secret. */
export function bulkEndpoints(secret: string): readonly EndpointOrGroup[] {
  const many = {
    url: 'cities/bulk',
    modelClass: City,
    authentication: new SecretBearer({ environmentKey, environment: { [environmentKey]: secret } }),
    maximumRecords: 5000,
    answer: 'ids',
  } as const;
  const columns = {
    writeableColumnNames: ['name', 'population', 'latitude', 'longitude', 'countryCode'],
    readableColumnNames: ['id'],
  } as const;
  const conditions = {
    byConditions: true,
    searchableColumnNames: ['name', 'population', 'countryCode'],
  } as const;
  return [
    new CreateMany({ ...many, ...columns }),
    new UpdateMany({ ...many, ...columns, ...conditions }),
    new DeleteMany({ ...many, ...conditions }),
  ];
}
