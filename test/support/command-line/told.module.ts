// An application that tells others of its parts. Node itself reads this file, as library.module.ts.
import { defineEntity, MikroORM, p } from '@mikro-orm/core';
import { MikroOrmModule } from '@mikro-orm/nestjs';
import { PostgreSqlDriver } from '@mikro-orm/postgresql';
import { SecretBearer } from '@nest-endpoints/auth';
import {
  Authorization,
  ChangeRecord,
  EndpointsModule,
  recordChanges,
  RestfulApi,
} from '@nest-endpoints/core';
import {
  eventEndpoints,
  EventPosition,
  EventsModule,
  WebhookDelivery,
  Webhooks,
  WebhookSubscription,
} from '@nest-endpoints/events';
import { Module } from '@nestjs/common';

const { DATABASE_URL: clientUrl = '', MIGRATES } = process.env;

const Part = defineEntity({
  name: 'Part',
  properties: { id: p.integer().primary().autoincrement(), name: p.string() },
});
recordChanges(Part, { keepFor: 'forever' });

const columns = ['name'] as const;

/** Lets in whoever knows the secret. */
class Operators extends Authorization {}

const made = {
  provide: 'MADE',
  inject: [MikroORM],
  useFactory: (orm: MikroORM) => MIGRATES === undefined || orm.schema.create(),
};

class AppModule {}
Module({
  imports: [
    MikroOrmModule.forRoot({
      driver: PostgreSqlDriver,
      clientUrl,
      entities: [Part, ChangeRecord, EventPosition, WebhookSubscription, WebhookDelivery],
    }),
    EndpointsModule.forRoot({
      authentication: new SecretBearer({ environmentKey: 'SECRET', environment: { SECRET: 's3cret' } }),
    }),
    EventsModule.forRoot({
      events: { part: { model: Part, authorization: 'none' } },
      deliver: new Webhooks({ allowHosts: ['127.0.0.1'], allowHttp: true }),
    }),
    EndpointsModule.forFeature([
      eventEndpoints({ authorization: new Operators() }),
      new RestfulApi({
        url: 'parts',
        modelClass: Part,
        readableColumnNames: ['id', 'name'],
        writeableColumnNames: columns,
        searchableColumnNames: columns,
        sortableColumnNames: columns,
        defaultSortColumnName: 'name',
      }),
    ]),
  ],
  providers: [made],
})(AppModule);

export { AppModule };
