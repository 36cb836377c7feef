// Items that clients follow by a live list, and the same ones by a list that is not live.
import { defineEntity, MikroORM, p } from '@mikro-orm/core';
import { MikroOrmModule } from '@mikro-orm/nestjs';
import { PostgreSqlDriver } from '@mikro-orm/postgresql';
import { ChangeRecord, EndpointsModule, recordChanges, RestfulApi } from '@nest-endpoints/core';
import { LiveLists } from '@nest-endpoints/live';
import { serve } from '../support/serve.mjs';

const Item = defineEntity({
  name: 'Item',
  properties: {
    id: p.integer().primary().autoincrement(),
    text: p.text(),
    state: p.string().default('open'),
  },
});
recordChanges(Item, { keepFor: 'forever' });

const items = {
  modelClass: Item,
  readableColumnNames: ['id', 'text', 'state'],
  writeableColumnNames: ['text', 'state'],
  searchableColumnNames: ['state'],
  sortableColumnNames: ['id'],
  defaultSortColumnName: 'id',
  maximumLimit: 0,
};

/** A module is known by its class; this one has nothing to inject. */
class Watched {}

await serve(
  ({ databaseUrl, live = {}, stallTimeout = 0 }) => ({
    module: Watched,
    imports: [
      MikroOrmModule.forRoot({
        driver: PostgreSqlDriver,
        clientUrl: databaseUrl,
        entities: [Item, ChangeRecord],
        registerRequestContext: false,
      }),
      EndpointsModule.forRoot({
        stallTimeout,
        cursorSecret: 'one that all processes of the drill have',
        live: new LiveLists({ interval: 100, maximumStreamsEach: 1000, ...live }),
      }),
      EndpointsModule.forFeature([
        new RestfulApi({ ...items, url: 'items', live: true }),
        new RestfulApi({ ...items, url: 'plain' }),
      ]),
    ],
  }),
  (app) => app.get(MikroORM).schema.update({ safe: true }),
);
