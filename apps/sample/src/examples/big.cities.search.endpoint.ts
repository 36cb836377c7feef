import { AdvancedSearch } from '@nest-endpoints/core';
import { City } from '../atlas/atlas.entities.js';

export const citySearch = new AdvancedSearch({
  url: 'cities/search',
  modelClass: City,
  readableColumnNames: ['id', 'name', 'population', 'country.code', 'country.name'],
  sortableColumnNames: ['name', 'population', 'country.name'],
  searchableColumnNames: ['name', 'population', 'countryCode', 'country.name', 'country.region'],
  defaultSortColumnName: 'population',
  defaultSortDirection: 'DESC',
  pagination: 'keyset',
});
