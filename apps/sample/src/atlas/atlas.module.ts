import { MikroOrmModule } from '@mikro-orm/nestjs';
import { AdvancedSearch, EndpointsModule, List, RestfulApi } from '@nest-endpoints/core';
import { Module } from '@nestjs/common';
import { City, Country } from './atlas.entities.js';
import { exportCities } from './export.endpoint.js';
import { citiesNear } from './near.endpoint.js';

const countries = new RestfulApi({
  url: 'countries',
  modelClass: Country,
  readOnly: true,
  readableColumnNames: ['code', 'name', 'region', 'subregion', 'capital', 'area', 'languages', 'cities'],
  writeableColumnNames: [],
  sortableColumnNames: ['name', 'region', 'area'],
  searchableColumnNames: ['code', 'name', 'region', 'subregion'],
  defaultSortColumnName: 'name',
});

const cities = new RestfulApi({
  url: 'cities',
  modelClass: City,
  readableColumnNames: [
    'id',
    'name',
    'population',
    'latitude',
    'longitude',
    'country.code',
    'country.name',
    'created',
    'updated',
  ],
  writeableColumnNames: ['name', 'population', 'latitude', 'longitude', 'countryCode'],
  sortableColumnNames: ['name', 'population', 'country.name'],
  searchableColumnNames: ['id', 'name', 'population', 'countryCode', 'country.name', 'country.region'],
  defaultSortColumnName: 'name',
});

/** Conditions and sorts of the client's choice; pages go on behind the last city, however deep. */
const citySearch = new AdvancedSearch({
  url: 'cities/search',
  description: 'Conditions and sorts of your choice; pages go on behind the last city, however deep.',
  modelClass: City,
  readableColumnNames: ['id', 'name', 'population', 'latitude', 'longitude', 'country.code', 'country.name'],
  sortableColumnNames: ['name', 'population', 'latitude', 'longitude', 'country.name', 'country.region'],
  searchableColumnNames: [
    'name',
    'population',
    'latitude',
    'longitude',
    'countryCode',
    'country.name',
    'country.region',
  ],
  defaultSortColumnName: 'population',
  defaultSortDirection: 'DESC',
  pagination: 'keyset',
});

/** The largest city of each country. */
const largestCities = new List({
  url: 'largest-cities',
  description: 'The largest city of each country.',
  modelClass: City,
  readableColumnNames: ['id', 'name', 'population', 'country.code', 'country.name'],
  sortableColumnNames: ['population', 'name'],
  defaultSortColumnName: 'population',
  defaultSortDirection: 'DESC',
  groupByColumnName: 'countryCode',
});

/**
 * The countries to read, the cities to read and to change. A special url stands before the RestfulApi that would take
 * its requests.
 */
@Module({
  imports: [
    MikroOrmModule.forFeature([Country, City]),
    EndpointsModule.forFeature([countries, citySearch, citiesNear, exportCities, largestCities, cities]),
  ],
})
export class AtlasModule {}
