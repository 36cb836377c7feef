import { Create } from '@nest-endpoints/core';
import { City } from '../atlas/atlas.entities.js';

export const createCityOfCountry = new Create({
  url: 'countries/:countryCode/cities',
  modelClass: City,
  writeableColumnNames: ['name', 'population', 'latitude', 'longitude', 'countryCode'],
  readableColumnNames: ['name', 'countryCode'],
  includeRoutingDataInRequestData: true,
});
