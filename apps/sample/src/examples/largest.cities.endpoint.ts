import { List } from '@nest-endpoints/core';
import { City } from '../atlas/atlas.entities.js';

export const largestCities = new List({
  url: 'largest-cities',
  modelClass: City,
  readableColumnNames: ['name', 'population', 'country.name'],
  sortableColumnNames: ['population', 'name', 'country.name'],
  defaultSortColumnName: 'population',
  defaultSortDirection: 'DESC',
  defaultLimit: 2,
  maximumLimit: 100,
});
