import { MikroOrmModule } from '@mikro-orm/nestjs';
import { EndpointsModule, RestfulApi } from '@nest-endpoints/core';
import { Module } from '@nestjs/common';
import { City } from './city.entity.js';
import { Country } from './country.entity.js';

const countries = new RestfulApi({
  url: 'countries',
  modelClass: Country,
  readOnly: true,
  readableColumnNames: ['code', 'name', 'region', 'subregion', 'capital', 'area', 'languages'],
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

/** The countries to read, the cities to read and to change. */
@Module({
  imports: [MikroOrmModule.forFeature([Country, City]), EndpointsModule.forFeature([countries, cities])],
})
export class AtlasModule {}
