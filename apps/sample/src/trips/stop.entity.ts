import { defineEntity, p } from '@mikro-orm/core';
import { Trip } from './trip.entity.js';

const StopSchema = defineEntity({
  name: 'Stop',
  properties: {
    id: p.integer().primary().autoincrement(),
    trip: () => p.manyToOne(Trip).ref().index().deleteRule('cascade'),
    place: p.string().length(100),
    arrivesOn: p.date().nullable(),
  },
});

/** Where a trip stays on its way. */
export class Stop extends StopSchema.class {}
StopSchema.setClass(Stop);
