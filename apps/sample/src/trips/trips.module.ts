import { MikroOrmModule } from '@mikro-orm/nestjs';
import { ChangeRecord, EndpointsModule, IdempotencyRecord, type Authentication } from '@nest-endpoints/core';
import { Module, type DynamicModule } from '@nestjs/common';
import { Stop, Trip } from './trip.entity.js';
import { myTrips, tripsEndpoints } from './trips.endpoints.js';

/** Trips: everybody's at `/trips`, and at `/my/trips` those of whoever asks. */
@Module({})
export class TripsModule {
  /** @param authentication who asks; without it there is no `/my/trips` */
  static forRoot(authentication: Authentication | undefined): DynamicModule {
    const own = authentication === undefined ? [] : [myTrips(authentication)];
    return {
      module: TripsModule,
      imports: [
        MikroOrmModule.forFeature([Trip, Stop, IdempotencyRecord, ChangeRecord]),
        EndpointsModule.forFeature([...own, ...tripsEndpoints]),
      ],
    };
  }
}
