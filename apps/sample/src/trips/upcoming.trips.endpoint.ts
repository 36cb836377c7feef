import { Callable } from '@nest-endpoints/core';
import { Trip } from './trip.entity.js';

/** Trips that are yet to come, the next first: those that the rules around the endpoint let the request see. */
export const upcomingTrips = new Callable({
  url: 'my/upcoming-trips',
  modelClass: Trip,
  readableColumnNames: ['id', 'title', 'startsOn'],
  returnRecords: true,
  description: 'Trips of your own that are yet to come, the next first.',
  toCall: async ({ em, scoped }) => {
    const trips = await scoped(Trip);
    const today = new Date().toISOString().slice(0, 10);
    return em.find(Trip, trips.where({ startsOn: { $gte: today } }), { orderBy: { startsOn: 'asc' } });
  },
});
