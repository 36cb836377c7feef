import { Cors, EndpointGroup, Hsts, List, RestfulApi } from '@nest-endpoints/core';
import { City, Country } from '../atlas/atlas.entities.js';

export const atlas = new EndpointGroup({
  url: 'atlas/v1',
  externalCasing: 'camelCase',
  securityHeaders: [new Hsts(), new Cors('https://atlas.example')],
  responseHeaders: ['X-Atlas: 1'],
  endpoints: [
    new List({
      url: 'regions',
      modelClass: Country,
      readableColumnNames: ['code', 'region'],
      sortableColumnNames: ['region'],
      defaultSortColumnName: 'region',
    }),
    new RestfulApi({
      url: 'cities',
      modelClass: City,
      readOnly: true,
      readableColumnNames: ['id', 'name', 'countryCode'],
      writeableColumnNames: [],
      sortableColumnNames: ['name'],
      searchableColumnNames: ['countryCode'],
      defaultSortColumnName: 'name',
    }),
  ],
});
