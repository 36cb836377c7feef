import { EndpointsModule } from '@nest-endpoints/core';
import { Module, type DynamicModule } from '@nestjs/common';
import { AtlasModule } from './atlas/atlas.module.js';
import { DatabaseModule } from './database/database.module.js';
import type { OpenDatabase } from './database/open.database.js';
import { TripsModule } from './trips/trips.module.js';

/** The whole service over one database. */
@Module({})
export class AppModule {
  static forRoot(database: OpenDatabase): DynamicModule {
    return {
      module: AppModule,
      imports: [
        DatabaseModule.forRoot(database),
        EndpointsModule.forRoot({ internalCasing: 'camelCase', externalCasing: 'snake_case' }),
        AtlasModule,
        TripsModule,
      ],
    };
  }
}
