// The service of the drill about the log of changes: items whose changes writes tell, and parcels that a trigger records.
import { defineEntity, MikroORM, p } from '@mikro-orm/core';
import { MikroOrmModule } from '@mikro-orm/nestjs';
import { PostgreSqlDriver } from '@mikro-orm/postgresql';
import {
  Batch,
  ChangeRecord,
  changeTriggersSql,
  EndpointGroup,
  EndpointsModule,
  recommendedOptions,
  recordChanges,
  RestfulApi,
  softDelete,
  Upsert,
} from '@nest-endpoints/core';
import { serve } from '../support/serve.mjs';

const properties = {
  id: p.integer().primary().autoincrement(),
  code: p.string().length(60).unique(),
  round: p.integer().default(0),
  deletedAt: p.datetime().nullable(),
  version: p.integer().version(),
};

const Item = defineEntity({ name: 'Item', properties });
const Parcel = defineEntity({ name: 'Parcel', properties });

for (const entity of [Item, Parcel]) softDelete(entity, { columnName: 'deletedAt' });
recordChanges(Item, { keepFor: 'forever' });
recordChanges(Parcel, { keepFor: 'forever', capture: 'trigger' });

const of = (modelClass, url) => {
  const common = {
    modelClass,
    readableColumnNames: ['id', 'code', 'round'],
    writeableColumnNames: ['code', 'round'],
  };
  const api = {
    ...common,
    sortableColumnNames: ['id'],
    searchableColumnNames: ['code'],
    defaultSortColumnName: 'id',
    bulk: true,
    trash: { purge: true },
  };
  return [
    new RestfulApi({ ...api, url }),
    // The other way to the database, through MikroORM.
    new RestfulApi({ ...api, url: `hooked-${url}`, afterSave: () => undefined }),
    new Upsert({ ...common, url: `coded-${url}/:code`, recordLookupColumnName: 'code' }),
  ];
};

const endpoints = [
  new EndpointGroup({
    endpoints: [new Batch({ url: 'batch' }), ...of(Item, 'items'), ...of(Parcel, 'parcels')],
  }),
];

/** A module is known by its class; this one has nothing to inject. */
class Changes {}

await serve(
  ({ databaseUrl }) => ({
    module: Changes,
    imports: [
      MikroOrmModule.forRoot({
        ...recommendedOptions(),
        driver: PostgreSqlDriver,
        clientUrl: databaseUrl,
        entities: [Item, Parcel, ChangeRecord],
        registerRequestContext: false,
      }),
      EndpointsModule.forFeature(endpoints),
    ],
  }),
  async (app) => {
    const { schema, em } = app.get(MikroORM);
    await schema.update({ safe: true });
    await em.getConnection().executeDump(changeTriggersSql(em));
  },
);
