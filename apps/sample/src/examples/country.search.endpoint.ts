import { AdvancedSearch, defineColumns, StringColumn } from '@nest-endpoints/core';
import { Country } from '../atlas/atlas.entities.js';

defineColumns(Country, {
  'languages.fra': { type: new StringColumn() },
  'languages.deu': { type: new StringColumn() },
});

export const countrySearch = new AdvancedSearch({
  url: 'countries/search',
  modelClass: Country,
  readableColumnNames: ['code', 'name', 'languages.fra', 'languages.deu'],
  sortableColumnNames: ['name', 'area', 'languages.deu'],
  searchableColumnNames: [
    ...(['name', 'region', 'capital', 'area'] as const),
    ...(['languages', 'languages.fra', 'languages.deu'] as const),
    ...(['cities.name', 'cities.population'] as const),
  ],
  defaultSortColumnName: 'name',
});
