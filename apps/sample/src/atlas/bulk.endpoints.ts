import { SecretBearer } from '@nest-endpoints/auth';
import { CreateMany, DeleteMany, Import, UpdateMany, type EndpointOrGroup } from '@nest-endpoints/core';
import { City } from './atlas.entities.js';

const environmentKey = 'BULK_SECRET';

/** `/cities/bulk` and `/cities/import`: many cities with one request, for whoever knows the secret. */
export function bulkEndpoints(secret: string): readonly EndpointOrGroup[] {
  const authentication = new SecretBearer({ environmentKey, environment: { [environmentKey]: secret } });
  const many = {
    url: 'cities/bulk',
    modelClass: City,
    authentication,
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
    new Import({
      url: 'cities/import',
      modelClass: City,
      authentication,
      writeableColumnNames: columns.writeableColumnNames,
    }),
  ];
}
