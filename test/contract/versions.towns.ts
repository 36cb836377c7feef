import { defineEntity, p } from '@mikro-orm/core';
import { defineColumns, RestfulApi } from '@nest-endpoints/core';

export const County = defineEntity({
  name: 'County',
  properties: { id: p.integer().primary().autoincrement(), name: p.string() },
});

export const Town = defineEntity({
  name: 'Town',
  properties: {
    id: p.integer().primary().autoincrement(),
    name: p.string().unique(),
    label: p.string().nullable(),
    population: p.integer(),
    county: () => p.manyToOne(County).nullable(),
    version: p.integer().version(),
  },
});

defineColumns(Town, { label: { deprecated: 'Say it in the name.' } });

export const towns = {
  modelClass: Town,
  url: 'towns',
  readableColumnNames: ['id', 'name', 'label', 'population', 'county.name'],
  writeableColumnNames: ['name', 'label', 'population', 'countyId'],
  searchableColumnNames: ['name', 'label', 'population', 'county.name'],
  sortableColumnNames: ['name', 'population', 'county.name'],
  defaultSortColumnName: 'name',
  pagination: 'keyset',
  defaultLimit: 1,
} as const;

export const second = new RestfulApi({ ...towns, version: '2', bulk: true });

export const first = new RestfulApi({
  ...towns,
  version: '1',
  clientSelectsColumns: true,
  externalNames: { population: 'inhabitants', county: 'shire', countyId: 'shire_id' },
  deprecated: {
    since: '2026-12-31T23:00:00+00:00',
    sunset: '2100-06-30',
    link: 'https://atlas.example/changes',
    successor: second,
    reason: 'Version 2 has the names of the census.',
  },
});

export const old = { since: '2020-01-01', sunset: '2020-01-01T00:00:00Z' } as const;
