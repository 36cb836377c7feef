import { SecretBearer } from '@nest-endpoints/auth';
import { EndpointsModule } from '@nest-endpoints/core';
import { Migrations } from '@nest-endpoints/migrations';
import { Module, type DynamicModule } from '@nestjs/common';
import type { AtlasSettings } from '../atlas.settings.js';
import type { OpenDatabase } from '../database/open.database.js';
import { schemaDirectory } from '../database/schema.directory.js';

const environmentKey = 'MIGRATIONS_SECRET';

/** `/migrations`: what of the SQL files is not in the database yet, for whoever knows the secret. */
@Module({})
export class MigrationsModule {
  static forRoot(
    { migrationsSecret }: Pick<AtlasSettings, 'migrationsSecret'>,
    { direct }: Pick<OpenDatabase, 'direct'>,
  ): DynamicModule {
    const environment = { [environmentKey]: migrationsSecret };
    const migrations = new Migrations({
      url: 'migrations',
      requestMethods: ['GET', 'POST'],
      tag: 'Operations',
      sql: [schemaDirectory],
      ...(direct !== undefined && { cursor: direct }),
      command: 'plan',
      allowInput: true,
      authentication: new SecretBearer({ environmentKey, environment }),
    });
    return { module: MigrationsModule, imports: [EndpointsModule.forFeature([migrations])] };
  }
}
