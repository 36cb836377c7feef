// Orders that have a version, and whose creation may be tried again: for drills of retries and of concurrent writes.
import { defineEntity, MikroORM, p } from '@mikro-orm/core';
import { MikroOrmModule } from '@mikro-orm/nestjs';
import { PostgreSqlDriver } from '@mikro-orm/postgresql';
import {
  EndpointsModule,
  IdempotencyRecord,
  recommendedOptions,
  RestfulApi,
  setServerLimits,
} from '@nest-endpoints/core';
import { serve } from '../support/serve.mjs';

const Order = defineEntity({
  name: 'Order',
  tableName: 'orders',
  properties: {
    id: p.integer().primary().autoincrement(),
    item: p.string().length(100),
    amount: p.integer(),
    version: p.integer().version(),
  },
});

const endpoints = [
  new RestfulApi({
    url: 'orders',
    modelClass: Order,
    readableColumnNames: ['id', 'item', 'amount'],
    writeableColumnNames: ['item', 'amount'],
    sortableColumnNames: ['id'],
    searchableColumnNames: ['id', 'item'],
    defaultSortColumnName: 'id',
    idempotency: true,
  }),
];

/** A module is known by its class; this one has nothing to inject. */
class Orders {}

await serve(
  ({ databaseUrl, limits }) => ({
    module: Orders,
    imports: [
      MikroOrmModule.forRoot({
        ...recommendedOptions(limits),
        driver: PostgreSqlDriver,
        clientUrl: databaseUrl,
        entities: [Order, IdempotencyRecord],
        registerRequestContext: false,
      }),
      EndpointsModule.forRoot({}),
      EndpointsModule.forFeature(endpoints),
    ],
  }),
  async (app) => {
    await app.get(MikroORM).schema.update({ safe: true });
    setServerLimits(app);
  },
);
