import { randomUUID } from 'node:crypto';
import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { TenantRecords } from '@nest-endpoints/auth';
import {
  ChangeRecord,
  EndpointGroup,
  recordChanges,
  RestfulApi,
  softDelete,
  Update,
  Upsert,
} from '@nest-endpoints/core';
import type { Subject } from '../support/contract.js';
import { Claims } from './claims.js';

/** A parent of trips. */
export const Guide = defineEntity({
  name: 'Guide',
  properties: {
    id: p.integer().primary().autoincrement(),
    tenant: p.string().default('a'),
    name: p.string().length(40),
  },
});

export const Trip = defineEntity({
  name: 'Trip',
  properties: {
    id: p.integer().primary().autoincrement(),
    tenant: p.string().default('a'),
    code: p
      .string()
      .unique()
      .onCreate(() => randomUUID()),
    title: p.string().length(40),
    version: p.integer().version(),
    guide: () => p.manyToOne(Guide).nullable(),
    stops: () => p.oneToMany(Stop).mappedBy('trip'),
  },
});
export type Trip = InferEntity<typeof Trip>;

export const Stop = defineEntity({
  name: 'Stop',
  tableName: 'stop',
  uniques: [{ name: 'stop_place', properties: ['trip', 'place'] }],
  checks: [{ name: 'stop_position', expression: 'position < 1000' }],
  properties: {
    id: p.integer().primary().autoincrement(),
    tenant: p.string().default('a'),
    title: p.string().length(40),
    position: p.integer().default(0),
    place: p.string().nullable(),
    code: p.string().nullable().unique(),
    version: p.integer().version(),
    deletedAt: p.datetime(3).nullable(),
    trip: () => p.manyToOne(Trip).nullable(),
    photos: () => p.oneToMany(Photo).mappedBy('stop'),
  },
});
export type Stop = InferEntity<typeof Stop>;

export const Photo = defineEntity({
  name: 'Photo',
  properties: {
    id: p.integer().primary().autoincrement(),
    tenant: p.string().default('a'),
    name: p.string().length(40),
    slug: p.string().nullable().unique(),
    stop: () => p.manyToOne(Stop),
  },
});
export type Photo = InferEntity<typeof Photo>;

softDelete(Stop, { columnName: 'deletedAt' });
recordChanges(Stop, { keepFor: 'forever' });
recordChanges(Trip, { keepFor: 'forever' });

export const entities = [Guide, Trip, Stop, Photo, ChangeRecord];

/** The functions around writes of stops that were called, with the places of their records. */
export const called: string[] = [];

const lists = {
  sortableColumnNames: ['id'],
  searchableColumnNames: ['id'],
  defaultSortColumnName: 'id',
} as const;

const photos = new RestfulApi({
  ...lists,
  url: 'photos',
  modelClass: Photo,
  writeableColumnNames: ['name', 'slug', 'stopId'],
  readableColumnNames: ['id', 'name', 'stopId'],
});

const stops = new RestfulApi({
  ...lists,
  url: 'stops',
  modelClass: Stop,
  writeableColumnNames: ['title', 'position', 'place', 'code', 'tripId'],
  readableColumnNames: ['id', 'title', 'position', 'place', 'code', 'tripId', 'version'],
  inputValidationCallable: ({ requestData }) => {
    return requestData['title'] === 'nowhere' ? { title: 'not there' } : {};
  },
  beforeSave: ({ operation, index, record, em }) => {
    called.push(`${operation} ${index ?? '-'}`);
    if (record.title === 'thrown') throw new TypeError('from beforeSave');
    if (!em.isInTransaction()) throw new TypeError('no transaction');
  },
  beforeDelete: ({ index }) => {
    called.push(`delete ${index ?? '-'}`);
  },
  afterCommit: ({ operation, record }) => {
    called.push(`committed ${operation} ${record.title}`);
  },
});

const guides = new RestfulApi({
  ...lists,
  url: 'guides',
  modelClass: Guide,
  writeableColumnNames: ['name'],
  readableColumnNames: ['id', 'name'],
});

const writeableRelations = {
  stops: {
    through: 'stops',
    writeableColumnNames: ['title', 'position', 'place', 'code'],
    operations: ['create', 'update', 'delete', 'link', 'unlink'],
    writeableRelations: { photos: { through: 'photos' } },
  },
  guide: { through: 'guides' },
} as const;

export const trips = {
  ...lists,
  modelClass: Trip,
  writeableColumnNames: ['title', 'guideId'],
  readableColumnNames: ['id', 'title', 'version', 'guide.name'],
  writeableRelations,
} as const;

/** What `service` takes for trips that are written with their stops. */
export const nested = {
  entities,
  endpoints: [
    new EndpointGroup({
      authentication: new Claims(),
      authorization: new TenantRecords({ columnName: 'tenant', claim: 'tenant' }),
      endpoints: [
        photos,
        stops,
        guides,
        new RestfulApi({ ...trips, url: 'trips' }),
        new Update({
          ...trips,
          url: 'lists/:id',
          writeableRelations: { stops: { through: 'stops', replace: true } },
        }),
        new Update({
          ...trips,
          url: 'kept/:id',
          writeableRelations: {
            stops: { through: 'stops', replace: true, operations: ['create', 'unlink'] },
          },
        }),
        new Upsert({
          ...trips,
          url: 'puts/:code',
          recordLookupColumnName: 'code',
          writeableColumnNames: ['code', 'title'],
        }),
      ],
    }),
  ],
};

/** Requests of one tenant. */
export const by = ({ request }: Subject, tenant = 'a') => {
  const claims = JSON.stringify({ tenant });
  return {
    post: (path: string, body: object) => request().post(path).set('X-Claims', claims).send(body),
    put: (path: string, body: object) => request().put(path).set('X-Claims', claims).send(body),
    patch: (path: string, body: object, tag = '*') =>
      request().patch(path).set('X-Claims', claims).set('If-Match', tag).send(body),
  };
};

/** A trip with stops of these titles. */
export const tripOf = async ({ save }: Subject, ...titles: readonly string[]): Promise<Trip> => {
  const trip = await save(Trip, { title: 'Coast' });
  for (const [index, title] of titles.entries()) await save(Stop, { title, position: index + 1, trip });
  return trip;
};

/** The live stops of all, past the endpoints: title, position, trip. */
export const stored = async ({ em }: Subject): Promise<readonly (readonly unknown[])[]> => {
  const rows: Record<string, unknown>[] = await em()
    .getConnection()
    .execute('select * from stop where deleted_at is null order by id');
  return rows.map((row) => [row['title'], row['position'], row['trip_id']]);
};
