// A service that imports and exports cities of countries.
import { defineEntity, MikroORM, p } from '@mikro-orm/core';
import { MikroOrmModule } from '@mikro-orm/nestjs';
import { PostgreSqlDriver } from '@mikro-orm/postgresql';
import { EndpointsModule, Export, Import, recommendedOptions } from '@nest-endpoints/core';
import { serve } from '../support/serve.mjs';

const Country = defineEntity({
  name: 'Country',
  tableName: 'country',
  properties: { code: p.string().length(2).primary(), name: p.string() },
});

const City = defineEntity({
  name: 'City',
  tableName: 'city',
  properties: {
    id: p.integer().primary().autoincrement(),
    name: p.string().length(200),
    population: p.integer().nullable(),
    note: p.text().nullable(),
    country: () => p.manyToOne(Country),
  },
});

const written = {
  modelClass: City,
  writeableColumnNames: ['name', 'population', 'note', 'countryCode'],
  maximumRecords: 10_000_000,
  maximumBytes: 4_294_967_296,
};

const endpoints = [
  new Import({ ...written, url: 'cities/import' }),
  new Import({ ...written, url: 'cities/chunks', mode: 'chunks' }),
  new Export({
    modelClass: City,
    url: 'cities/export',
    readableColumnNames: ['name', 'population', 'note', 'countryCode'],
  }),
];

class Cities {}

await serve(
  ({ databaseUrl }) => ({
    module: Cities,
    imports: [
      MikroOrmModule.forRoot({
        ...recommendedOptions(),
        driver: PostgreSqlDriver,
        clientUrl: databaseUrl,
        entities: [Country, City],
        registerRequestContext: false,
      }),
      EndpointsModule.forRoot({}),
      EndpointsModule.forFeature(endpoints),
    ],
  }),
  async (app) => {
    await app.get(MikroORM).schema.update({ safe: true });
  },
);
