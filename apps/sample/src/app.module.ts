import { EndpointsModule } from '@nest-endpoints/core';
import { LiveLists } from '@nest-endpoints/live';
import { Module, type DynamicModule } from '@nestjs/common';
import { AgentsModule } from './agents/agents.module.js';
import { AtlasModule } from './atlas/atlas.module.js';
import type { AtlasSettings } from './atlas.settings.js';
import { DatabaseModule } from './database/database.module.js';
import { DocumentationModule } from './documentation/documentation.module.js';
import type { OpenDatabase } from './database/open.database.js';
import { ExamplesModule } from './examples/examples.module.js';
import { HealthModule } from './health/health.module.js';
import type { Login } from './login/login.js';
import { LoginModule } from './login/login.module.js';
import type { AtlasMetrics } from './metrics/atlas.metrics.js';
import { MigrationsModule } from './migrations/migrations.module.js';
import { PostcardsModule } from './postcards/postcards.module.js';
import { TripsModule } from './trips/trips.module.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';

/** The whole service over one database, for the users of one identity provider. */
@Module({})
export class AppModule {
  static forRoot(
    database: OpenDatabase,
    login: Login,
    metrics: AtlasMetrics,
    settings: AtlasSettings,
  ): DynamicModule {
    return {
      module: AppModule,
      imports: [
        DatabaseModule.forRoot(database),
        EndpointsModule.forRoot({
          externalCasing: 'snake_case',
          observers: [metrics],
          live: new LiveLists(),
          ...settings.lists,
          ...settings.service,
        }),
        LoginModule.forRoot(login),
        AtlasModule.forRoot(settings),
        TripsModule.forRoot(login.authentication),
        PostcardsModule,
        WebhooksModule.forRoot(login.authentication, settings),
        ExamplesModule,
        HealthModule.forRoot(metrics),
        MigrationsModule.forRoot(settings, database),
        AgentsModule.forRoot(settings),
        DocumentationModule,
      ],
    };
  }
}
