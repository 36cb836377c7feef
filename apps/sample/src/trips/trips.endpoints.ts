import { OwnRecords } from '@nest-endpoints/auth';
import { Batch, Cors, EndpointGroup, Hsts, RestfulApi, type Authentication } from '@nest-endpoints/core';
import { endsAfterItStarts } from './trip.dates.js';
import { Stop, Trip } from './trip.entity.js';
import { logTrip, refuseBackwards } from './trip.life.cycle.js';
import { upcomingTrips } from './upcoming.trips.endpoint.js';

const writeable = [
  'code',
  'title',
  'cityId',
  'startsOn',
  'endsOn',
  'rating',
  'budget',
  'shared',
  'contact',
  'remindAt',
  'departsAt',
  'notes',
] as const;

/** What every trips API below has in common; they differ in url, casing and how they read text. */
const tripOptions = {
  modelClass: Trip,
  tag: { name: 'Trip', description: "Trips to cities: everybody's, and those of whoever asks." },
  readableColumnNames: [
    'id',
    ...writeable,
    'owner',
    'created',
    'updated',
    'city.id',
    'city.name',
    'city.country.name',
  ],
  writeableColumnNames: writeable,
  sortableColumnNames: ['title', 'startsOn', 'rating', 'budget', 'city.name'],
  searchableColumnNames: [
    'id',
    'code',
    'title',
    'rating',
    'budget',
    'shared',
    'contact',
    'startsOn',
    'remindAt',
    'departsAt',
    'cityId',
    'city.name',
  ],
  defaultSortColumnName: 'startsOn',
  idempotency: true,
  securityHeaders: [new Hsts(), new Cors('https://atlas.example')],
  responseHeaders: ['X-Atlas: 1'],
} as const;

/** The same, with a rule that is judged before the record is looked up; `/my/trips` judges in the transaction. */
const judgedTrips = { ...tripOptions, inputValidationCallable: endsAfterItStarts } as const;

/** The stops of trips. A trip is written with its stops, by the rules that stand here. */
const stops = new RestfulApi({
  url: 'stops',
  modelClass: Stop,
  readableColumnNames: ['id', 'tripId', 'place', 'arrivesOn'],
  writeableColumnNames: ['tripId', 'place', 'arrivesOn'],
  sortableColumnNames: ['id', 'arrivesOn'],
  searchableColumnNames: ['tripId', 'place'],
  defaultSortColumnName: 'id',
});

/** Each trips API of the sample: the plain one, the same in two other casings, and one that reads text as values. */
export const tripsEndpoints = [
  new EndpointGroup({
    endpoints: [
      new Batch({ url: 'batch', idempotency: true }),
      new RestfulApi({
        url: 'trips',
        ...judgedTrips,
        trash: { purge: true },
        history: true,
        writeableRelations: { stops: { through: 'stops' } },
      }),
      stops,
    ],
  }),
  new EndpointGroup({
    url: 'camel',
    externalCasing: 'camelCase',
    endpoints: [new RestfulApi({ url: 'trips', ...judgedTrips })],
  }),
  new EndpointGroup({
    url: 'title',
    externalCasing: 'TitleCase',
    endpoints: [new RestfulApi({ url: 'trips', ...judgedTrips })],
  }),
  new RestfulApi({ url: 'typed/trips', ...judgedTrips, transformInputTypes: true }),
];

/**
 * The trips of whoever asks. A trip that is made here is theirs; one of somebody else is Not Found. What their dates must
 * be is said in the transaction of the write, and the log is told once that is committed.
 */
export function myTrips(authentication: Authentication): EndpointGroup {
  return new EndpointGroup({
    authentication,
    authorization: new OwnRecords('owner', 'sub'),
    endpoints: [
      upcomingTrips,
      new RestfulApi({
        url: 'my/trips',
        ...tripOptions,
        trash: true,
        history: true,
        beforeSave: refuseBackwards,
        afterCommit: logTrip,
      }),
    ],
  });
}
