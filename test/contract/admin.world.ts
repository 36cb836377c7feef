import { defineEntity, p } from '@mikro-orm/core';
import { AdminPage, type AdminPageOptions } from '@nest-endpoints/admin';
import {
  AdvancedSearch,
  ChangeRecord,
  defineColumns,
  EndpointGroup,
  IdempotencyRecord,
  MaximumValue,
  recordChanges,
  RestfulApi,
  softDelete,
} from '@nest-endpoints/core';
import { Schema } from '@nest-endpoints/openapi';
import { Token } from '../support/token.js';
import type { ApplicationOptions } from '../support/application.js';
import { licensed } from '../support/documents.js';

export const City = defineEntity({
  name: 'City',
  properties: { id: p.integer().primary().autoincrement(), name: p.string().length(60) },
});

export const Trip = defineEntity({
  name: 'Trip',
  properties: {
    id: p.integer().primary().autoincrement(),
    title: p.string().length(60),
    city: () => p.manyToOne(City).ref().nullable().deleteRule('no action'),
    startsOn: p.date(),
    rating: p.integer().nullable(),
    season: p.enum(['spring', 'summer', 'autumn', 'winter']).nullable(),
    shared: p.boolean().default(false),
    notes: p.text().nullable(),
    version: p.integer().version(),
    deletedAt: p.datetime().nullable(),
    stops: () => p.oneToMany(Stop).mappedBy('trip'),
  },
});

export const Stop = defineEntity({
  name: 'Stop',
  properties: {
    id: p.integer().primary().autoincrement(),
    trip: () => p.manyToOne(Trip).ref().deleteRule('cascade'),
    place: p.string().length(20),
    arrivesOn: p.date().nullable(),
    deletedAt: p.datetime().nullable(),
  },
});

softDelete(Stop, { columnName: 'deletedAt' });
softDelete(Trip, { columnName: 'deletedAt' });
recordChanges(Trip, { keepFor: 'forever' });
defineColumns(Trip, { rating: { validators: [new MaximumValue(5)] } });

const written = ['title', 'cityId', 'startsOn', 'rating', 'season', 'shared', 'notes'] as const;

const trips = {
  modelClass: Trip,
  readableColumnNames: ['id', ...written, 'city.name'],
  sortableColumnNames: ['title', 'startsOn', 'rating'],
  searchableColumnNames: ['title', 'cityId', 'season', 'rating'],
  defaultSortColumnName: 'title',
  pagination: 'keyset',
} as const;

/** A search shows less than a list, and looks for more. */
const tripSearch = {
  ...trips,
  readableColumnNames: ['id', 'title', 'cityId', 'startsOn', 'rating', 'season', 'notes', 'city.name'],
  searchableColumnNames: [...trips.searchableColumnNames, 'city.name'],
} as const;

const cities = {
  modelClass: City,
  readableColumnNames: ['id', 'name'],
  sortableColumnNames: ['name'],
  searchableColumnNames: ['id', 'name'],
  defaultSortColumnName: 'name',
} as const;

const records = [
  new AdvancedSearch({ ...tripSearch, url: 'trips/search' }),
  new RestfulApi({
    ...trips,
    url: 'trips',
    writeableColumnNames: written,
    bulk: true,
    trash: { purge: true },
    history: true,
    writeableRelations: { stops: { through: 'stops' } },
  }),
  new RestfulApi({
    url: 'stops',
    modelClass: Stop,
    readableColumnNames: ['id', 'tripId', 'place', 'arrivesOn'],
    writeableColumnNames: ['tripId', 'place', 'arrivesOn'],
    sortableColumnNames: ['id'],
    searchableColumnNames: ['tripId', 'place'],
    defaultSortColumnName: 'id',
  }),
  new AdvancedSearch({ ...cities, url: 'cities/search' }),
  new RestfulApi({ ...cities, url: 'cities', writeableColumnNames: ['name'] }),
];

const schema = new Schema({ url: 'schema', schemaConfiguration: licensed });

const page = (options: Partial<AdminPageOptions> = {}): AdminPage =>
  new AdminPage({ url: 'admin', title: 'Travel desk', resources: ['trips', 'cities', 'stops'], ...options });

/** Shows a column that the search does not give. */
const misled = page({ url: 'misled', resources: [{ name: 'trips', columns: ['title', 'shared'] }] });

/** The page below a prefix, once for everybody and once for who has a token. */
export const travel: ApplicationOptions = {
  entities: [Trip, Stop, City, ChangeRecord, IdempotencyRecord],
  root: { externalCasing: 'snake_case' },
  endpoints: [
    new EndpointGroup({ url: 'desk', endpoints: [schema, page(), misled, ...records] }),
    new EndpointGroup({
      url: 'closed',
      endpoints: [
        page({ login: 'token', resources: ['cities'] }),
        new EndpointGroup({
          authentication: new Token(),
          endpoints: [new Schema({ url: 'schema', schemaConfiguration: licensed }), ...records.slice(3)],
        }),
      ],
    }),
  ],
};
