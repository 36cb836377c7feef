import { RestfulApi } from '@nest-endpoints/core';
import { City } from '../atlas/atlas.entities.js';

export const townsOfCountry = new RestfulApi({
  url: 'countries/:countryCode/towns',
  modelClass: City,
  parent: 'country',
  readableColumnNames: ['id', 'name', 'countryCode'],
  writeableColumnNames: ['name', 'population', 'latitude', 'longitude'],
  sortableColumnNames: ['name', 'population'],
  searchableColumnNames: ['name'],
  defaultSortColumnName: 'name',
});
