import { RestfulApi } from '@nest-endpoints/core';
import { City } from '../atlas/atlas.entities.js';
import { ApiKey, Editors } from './secret.cities.endpoint.js';

const editors = new Editors();

export const openCities = new RestfulApi({
  url: 'open-cities',
  authentication: new ApiKey(),
  access: { list: 'public', get: 'public', create: editors, update: editors, delete: editors },
  modelClass: City,
  readableColumnNames: ['id', 'name'],
  writeableColumnNames: ['name', 'population', 'latitude', 'longitude', 'countryCode'],
  sortableColumnNames: ['name'],
  searchableColumnNames: ['name', 'countryCode'],
  defaultSortColumnName: 'name',
});
