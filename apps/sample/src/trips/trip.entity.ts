import { randomUUID } from 'node:crypto';
import { defineEntity, p } from '@mikro-orm/core';
import {
  CreatedByAuthorizationDataColumn,
  defineColumns,
  EmailColumn,
  MaximumValue,
  MinimumValue,
  recordChanges,
  softDelete,
  TimestampColumn,
} from '@nest-endpoints/core';
import { City } from '../atlas/atlas.entities.js';

const TripSchema = defineEntity({
  name: 'Trip',
  properties: {
    id: p
      .uuid()
      .primary()
      .onCreate(() => randomUUID()),
    code: p.string().length(40).nullable(),
    title: p.string().length(100),
    // A city that somebody travels to cannot be deleted; MikroORM's own rule for a nullable relation would empty this.
    city: () => p.manyToOne(City).ref().nullable().index().deleteRule('no action'),
    startsOn: p.date().index(),
    endsOn: p.date().nullable(),
    rating: p.integer().nullable(),
    budget: p.double().nullable(),
    shared: p.boolean().default(false),
    contact: p.string().nullable(),
    /** Seconds since 1970 in UTC. */
    remindAt: p.bigint('number').nullable(),
    departsAt: p.datetime().nullable(),
    notes: p.text().nullable(),
    /** Whose trip it is: the subject of the token it was made with. Trips of the public endpoints are nobody's. */
    owner: p.string().nullable(),
    created: p.datetime().onCreate(() => new Date()),
    updated: p
      .datetime()
      .onCreate(() => new Date())
      .onUpdate(() => new Date()),
    /** Counts the changes of a trip: its entity tag, by which clients do not overwrite each other. */
    version: p.integer().version(),
    /** When it was put into the trash. */
    deletedAt: p.datetime().nullable(),
    stops: () => p.oneToMany(Stop).mappedBy('trip'),
  },
  // Of trips in the trash, codes may be used again.
  uniques: [{ name: 'trip_code_unique', properties: ['code'], where: { deletedAt: null } }],
});

export class Trip extends TripSchema.class {}
TripSchema.setClass(Trip);

const StopSchema = defineEntity({
  name: 'Stop',
  properties: {
    id: p.integer().primary().autoincrement(),
    trip: () => p.manyToOne(Trip).ref().index().deleteRule('cascade'),
    place: p.string().length(100),
    arrivesOn: p.date().nullable(),
    deletedAt: p.datetime().nullable(),
  },
});

/** Where a trip stays on its way. */
export class Stop extends StopSchema.class {}
StopSchema.setClass(Stop);

// They go into the trash with their trip, and come back with it.
softDelete(Stop, { columnName: 'deletedAt' });
softDelete(Trip, { columnName: 'deletedAt' });

/** A year, in milliseconds. */
const year = 365 * 24 * 60 * 60 * 1000;

recordChanges(Trip, { keepFor: year });

defineColumns(Trip, {
  contact: { type: new EmailColumn() },
  remindAt: { type: new TimestampColumn() },
  rating: { validators: [new MinimumValue(1), new MaximumValue(5)] },
  owner: { type: new CreatedByAuthorizationDataColumn('sub') },
});
