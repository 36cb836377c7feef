import { Get } from '@nest-endpoints/core';
import { Trip } from '../trips/trip.entity.js';

export const getTripByCode = new Get({
  url: 'trips/by-code/{code}',
  modelClass: Trip,
  recordLookupColumnName: 'code',
  readableColumnNames: ['code', 'title', 'startsOn'],
});
