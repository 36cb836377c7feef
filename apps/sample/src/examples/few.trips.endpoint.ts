import { RestfulApi } from '@nest-endpoints/core';
import { QuotaCreate } from './quota.create.js';
import { Trip } from '../trips/trip.entity.js';

export const fewTrips = new RestfulApi({
  url: 'few-trips',
  modelClass: Trip,
  createEndpoint: QuotaCreate,
  readableColumnNames: ['title', 'startsOn'],
  writeableColumnNames: ['title', 'startsOn'],
  sortableColumnNames: ['title'],
  searchableColumnNames: ['title'],
  defaultSortColumnName: 'title',
});
