// Parcels of whose changes receivers are told by webhooks.
import { defineEntity, MikroORM, p } from '@mikro-orm/core';
import { MikroOrmModule } from '@mikro-orm/nestjs';
import { PostgreSqlDriver } from '@mikro-orm/postgresql';
import {
  ChangeRecord,
  EndpointsModule,
  recommendedOptions,
  recordChanges,
  RestfulApi,
} from '@nest-endpoints/core';
import {
  EventPosition,
  EventsModule,
  WebhookDelivery,
  Webhooks,
  WebhookSubscription,
} from '@nest-endpoints/events';
import { serve } from '../support/serve.mjs';

const Parcel = defineEntity({
  name: 'Parcel',
  properties: { id: p.integer().primary().autoincrement(), name: p.string() },
});
recordChanges(Parcel, { keepFor: 'forever' });

const parcels = new RestfulApi({
  url: 'parcels',
  modelClass: Parcel,
  readableColumnNames: ['id', 'name'],
  writeableColumnNames: ['name'],
  sortableColumnNames: ['id'],
  searchableColumnNames: [],
  defaultSortColumnName: 'id',
  bulk: true,
});

class Parcels {}

await serve(
  ({ databaseUrl, isRelay = true, first = 0, ordered = 'none' }) => ({
    module: Parcels,
    imports: [
      MikroOrmModule.forRoot({
        ...recommendedOptions(),
        driver: PostgreSqlDriver,
        clientUrl: databaseUrl,
        entities: [Parcel, ChangeRecord, EventPosition, WebhookSubscription, WebhookDelivery],
        registerRequestContext: false,
      }),
      EndpointsModule.forRoot({}),
      EndpointsModule.forFeature([parcels]),
      ...(isRelay
        ? [
            EventsModule.forRoot({
              interval: 250,
              events: { parcel: { model: Parcel, show: ['id', 'name'], authorization: 'none' } },
              deliver: new Webhooks({
                schedule: [first, ...Array.from({ length: 500 }, () => 100)],
                ordered,
                allowHosts: ['127.0.0.1'],
                allowHttp: true,
                perSubscription: 16,
              }),
            }),
          ]
        : []),
    ],
  }),
  async (app, { isRelay = true }) => {
    if (!isRelay) await app.get(MikroORM).schema.update({ safe: true });
  },
);
