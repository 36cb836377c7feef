import { EndpointGroup, PlainAnswers, RestfulApi } from '@nest-endpoints/core';
import { City } from '../atlas/atlas.entities.js';
import { Trip } from '../trips/trip.entity.js';

export const plain = new EndpointGroup({
  url: 'plain',
  answers: new PlainAnswers(),
  endpoints: [
    new RestfulApi({
      url: 'cities',
      modelClass: City,
      readOnly: true,
      readableColumnNames: ['id', 'name'],
      writeableColumnNames: [],
      sortableColumnNames: ['name'],
      searchableColumnNames: ['countryCode'],
      defaultSortColumnName: 'name',
    }),
    new RestfulApi({
      url: 'trips',
      modelClass: Trip,
      idColumnName: 'code',
      readableColumnNames: ['code', 'title', 'startsOn'],
      writeableColumnNames: ['code', 'title', 'startsOn'],
      sortableColumnNames: ['title'],
      searchableColumnNames: ['title'],
      defaultSortColumnName: 'title',
    }),
  ],
});
