import { MikroOrmModule } from '@mikro-orm/nestjs';
import { SecretBearer } from '@nest-endpoints/auth';
import { AdvancedSearch, EndpointsModule, List, RestfulApi, type Authentication } from '@nest-endpoints/core';
import { Module, type DynamicModule } from '@nestjs/common';
import type { AtlasSettings } from '../atlas.settings.js';
import { City, Country } from './atlas.entities.js';
import { bulkEndpoints } from './bulk.endpoints.js';
import { exportCities } from './export.endpoint.js';
import { citiesNear } from './near.endpoint.js';

const environmentKey = 'COUNTRIES_SECRET';

/** Everybody reads them. Whoever knows the secret puts one: a country has its code before it is here. */
const countriesFor = (editors: Authentication): RestfulApi<Country> =>
  new RestfulApi({
    url: 'countries',
    tag: { name: 'Country', description: 'The countries of the world, with their largest cities.' },
    modelClass: Country,
    upsert: true,
    createEndpoint: null,
    updateEndpoint: null,
    deleteEndpoint: null,
    access: { upsert: editors },
    readableColumnNames: ['code', 'name', 'region', 'subregion', 'capital', 'area', 'languages', 'cities'],
    writeableColumnNames: ['code', 'name', 'region', 'subregion', 'capital', 'area', 'languages'],
    sortableColumnNames: ['name', 'region', 'area'],
    searchableColumnNames: ['code', 'name', 'region', 'subregion'],
    defaultSortColumnName: 'name',
    facets: { facetColumnNames: ['region', 'subregion'] },
  });

const cities = new RestfulApi({
  url: 'cities',
  tag: { name: 'City', description: 'The cities of the world: to find, to found and to change.' },
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
  clientSelectsColumns: true,
  includableColumnNames: ['country'],
  columnOverrides: { country: { readableParentColumnNames: ['region', 'subregion', 'capital'] } },
  writeableColumnNames: ['name', 'population', 'latitude', 'longitude', 'countryCode'],
  sortableColumnNames: ['name', 'population', 'country.name'],
  searchableColumnNames: ['id', 'name', 'population', 'countryCode', 'country.name', 'country.region'],
  defaultSortColumnName: 'name',
  aggregate: {
    groupableColumnNames: ['countryCode', 'country.region', 'country.subregion'],
    measurableColumnNames: { population: ['sum', 'avg', 'min', 'max'] },
  },
  export: {
    readableColumnNames: ['name', 'population', 'latitude', 'longitude', 'countryCode'],
    defaultSortColumnName: 'id',
  },
});

/** Conditions and sorts of the client's choice; pages go on behind the last city, however deep. */
const citySearch = new AdvancedSearch({
  url: 'cities/search',
  description: 'Conditions and sorts of your choice; pages go on behind the last city, however deep.',
  modelClass: City,
  readableColumnNames: ['id', 'name', 'population', 'latitude', 'longitude', 'country.code', 'country.name'],
  sortableColumnNames: [
    'name',
    'population',
    'latitude',
    'longitude',
    'country.name',
    'country.region',
    'words',
    'like',
    'place',
  ],
  searchableColumnNames: [
    'words',
    'like',
    'place',
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
 * The countries to read and, with a secret, to put; the cities to read and to change. A special url stands before the RestfulApi that would take
 * its requests.
 */
@Module({})
export class AtlasModule {
  /** A dynamic module: Nest mounts those before others, and what is mounted first stands on top of the docs page. */
  static forRoot({
    bulkSecret,
    countriesSecret,
  }: Pick<AtlasSettings, 'bulkSecret' | 'countriesSecret'>): DynamicModule {
    const environment = { [environmentKey]: countriesSecret };
    const countries = countriesFor(new SecretBearer({ environmentKey, environment }));
    return {
      module: AtlasModule,
      imports: [
        MikroOrmModule.forFeature([Country, City]),
        EndpointsModule.forFeature([
          countries,
          citySearch,
          citiesNear,
          exportCities,
          largestCities,
          ...bulkEndpoints(bulkSecret),
          cities,
        ]),
      ],
    };
  }
}
