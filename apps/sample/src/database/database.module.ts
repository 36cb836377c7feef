import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module, type DynamicModule } from '@nestjs/common';
import { DatabaseSetup, OPEN_DATABASE } from './database.setup.js';
import type { OpenDatabase } from './open.database.js';

/** MikroORM over the given database, with the entities of every `MikroOrmModule.forFeature`. */
@Module({})
export class DatabaseModule {
  static forRoot(database: OpenDatabase): DynamicModule {
    return {
      module: DatabaseModule,
      imports: [MikroOrmModule.forRoot({ ...database.options, autoLoadEntities: true })],
      providers: [DatabaseSetup, { provide: OPEN_DATABASE, useValue: database }],
    };
  }
}
