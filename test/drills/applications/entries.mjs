// The service of drills about writes of many records: entries in PostgreSQL, written as a whole or not at all.
import { defineEntity, MikroORM, p } from '@mikro-orm/core';
import { MikroOrmModule } from '@mikro-orm/nestjs';
import { PostgreSqlDriver } from '@mikro-orm/postgresql';
import { Batch, EndpointGroup, EndpointsModule, recommendedOptions, RestfulApi } from '@nest-endpoints/core';
import { serve } from '../support/serve.mjs';

/** A part of what one request writes. All parts of one have its mark. */
const Entry = defineEntity({
  name: 'Entry',
  properties: {
    id: p.integer().primary().autoincrement(),
    mark: p.string().length(50).index(),
    part: p.integer(),
    round: p.integer().default(0),
  },
});

const entries = {
  modelClass: Entry,
  readableColumnNames: ['id', 'mark', 'part'],
  writeableColumnNames: ['mark', 'part', 'round'],
  sortableColumnNames: ['id'],
  searchableColumnNames: ['mark'],
  defaultSortColumnName: 'id',
  bulk: true,
};

const endpoints = [
  new EndpointGroup({
    endpoints: [
      new Batch({ url: 'batch' }),
      new RestfulApi({ ...entries, url: 'entries' }),
      // The other way to the database, through MikroORM.
      new RestfulApi({ ...entries, url: 'hooked-entries', afterSave: () => undefined }),
    ],
  }),
];

/** A module is known by its class; this one has nothing to inject. */
class Entries {}

await serve(
  ({ databaseUrl }) => ({
    module: Entries,
    imports: [
      MikroOrmModule.forRoot({
        ...recommendedOptions(),
        driver: PostgreSqlDriver,
        clientUrl: databaseUrl,
        entities: [Entry],
        registerRequestContext: false,
      }),
      EndpointsModule.forFeature(endpoints),
    ],
  }),
  async (app) => {
    await app.get(MikroORM).schema.update({ safe: true });
  },
);
