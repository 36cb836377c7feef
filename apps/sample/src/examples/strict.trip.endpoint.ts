import { Create, Required } from '@nest-endpoints/core';
import { NoDigits } from './no.digits.validator.js';
import { TripCodeColumn } from './trip.code.column.js';
import { Trip } from '../trips/trip.entity.js';

export const createCodedTrip = new Create({
  url: 'strict-trips',
  modelClass: Trip,
  writeableColumnNames: ['code', 'title', 'startsOn'],
  readableColumnNames: ['code', 'title'],
  columnOverrides: {
    code: { type: new TripCodeColumn() },
    title: { validators: [new Required(), new NoDigits()] },
  },
});
