import { defineEntity, p } from '@mikro-orm/core';
import { softDelete } from '@nest-endpoints/core';
import { Trip } from './trip.entity.js';

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
