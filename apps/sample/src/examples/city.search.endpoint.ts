import { SimpleSearch } from '@nest-endpoints/core';
import { City } from '../atlas/atlas.entities.js';

export const searchCities = new SimpleSearch({
  url: 'city-search',
  modelClass: City,
  readableColumnNames: ['id', 'name', 'population', 'country.name'],
  sortableColumnNames: ['name', 'population'],
  searchableColumnNames: ['name', 'population', 'countryCode', 'country.name', 'country.region'],
  defaultSortColumnName: 'name',
});
