import { RestfulApi } from '@nest-endpoints/core';
import { Trip } from '../trips/trip.entity.js';

export const coded = new RestfulApi({
  url: 'coded-trips',
  modelClass: Trip,
  idColumnName: 'code',
  requestMethods: ['GET', 'POST'],
  readableColumnNames: ['code', 'title'],
  writeableColumnNames: ['code', 'title', 'startsOn'],
  sortableColumnNames: ['title'],
  searchableColumnNames: ['title'],
  defaultSortColumnName: 'title',
});
