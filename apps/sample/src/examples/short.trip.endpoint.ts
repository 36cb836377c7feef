import { Create } from '@nest-endpoints/core';
import { Trip } from '../trips/trip.entity.js';

export const createShortTrip = new Create({
  url: 'short-trips',
  modelClass: Trip,
  writeableColumnNames: ['title', 'startsOn', 'endsOn'],
  readableColumnNames: ['id', 'title', 'startsOn', 'endsOn'],
  inputValidationCallable: ({ requestData: { startsOn, endsOn } }) =>
    String(endsOn) < String(startsOn) ? { endsOn: 'a trip cannot end before it starts' } : {},
});
