import { RestfulApi } from '@nest-endpoints/core';
import { City } from '../atlas/atlas.entities.js';

export const europeanTowns = new RestfulApi({
  url: 'european-towns',
  modelClass: City,
  readableColumnNames: ['id', 'name', 'population', 'country.name'],
  writeableColumnNames: ['name', 'population', 'latitude', 'longitude', 'countryCode'],
  sortableColumnNames: ['name', 'population'],
  searchableColumnNames: ['name'],
  defaultSortColumnName: 'name',
  where: [
    'country.region = Europe',
    { population: { $lt: 100_000 } },
    ({ query, requestHeaders }) => query.andWhere({ country: { code: requestHeaders['x-country'] ?? 'FR' } }),
  ],
});
