import { MikroOrmModule } from '@mikro-orm/nestjs';
import { EndpointsModule } from '@nest-endpoints/core';
import { Module } from '@nestjs/common';
import { Trip } from './trip.entity.js';
import { tripsEndpoints } from './trips.endpoints.js';

/** Trips, a user's own records. */
@Module({
  imports: [MikroOrmModule.forFeature([Trip]), EndpointsModule.forFeature(tripsEndpoints)],
})
export class TripsModule {}
