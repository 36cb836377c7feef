import { defineColumns, Get } from '@nest-endpoints/core';
import { City } from '../atlas/atlas.entities.js';

defineColumns(City, { country: { readableParentColumnNames: ['code', 'name'] } });

export const getCountryOfCity = new Get({
  url: 'cities/:id/country',
  modelClass: City,
  readableColumnNames: ['name', 'country'],
});
