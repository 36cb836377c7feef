// The service of most drills: notes in PostgreSQL or MariaDB, with everything at its defaults and the recommended time limits.
import { defineEntity, MikroORM, p } from '@mikro-orm/core';
import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Callable, EndpointsModule, HealthCheck, RestfulApi, setServerLimits } from '@nest-endpoints/core';
import { databaseOptions } from '../support/database.options.mjs';
import { serve } from '../support/serve.mjs';

const Note = defineEntity({
  name: 'Note',
  properties: {
    id: p.integer().primary().autoincrement(),
    text: p.string().length(10_000),
    slug: p.string().length(50).nullable().unique(),
    created: p.datetime().onCreate(() => new Date()),
  },
});

/** More than the sockets of two machines hold between them. */
const large = Buffer.alloc(5_242_880, 'x');

/** How many notes are read at a time. */
const chunkSize = 500;

/** Every note, a line of JSON each, as fast as the client reads. */
async function* allNotes(em) {
  for (let last = 0, isMore = true; isMore;) {
    const rows = await em.execute('select id, text from note where id > ? order by id limit ?', [
      last,
      chunkSize,
    ]);
    yield* rows;
    last = rows.at(-1)?.id ?? last;
    isMore = rows.length === chunkSize;
  }
}

const endpoints = [
  new Callable({ url: 'large', returnStandardResponse: false, toCall: () => large }),
  new Callable({
    url: 'export/notes',
    returnStandardResponse: false,
    returnRecords: true,
    toCall: ({ em }) => allNotes(em),
  }),
  new HealthCheck({ url: 'health' }),
  new HealthCheck({ url: 'ready', callables: [({ em }) => em.execute('select 1')], failsOnShutdown: true }),
  new RestfulApi({
    url: 'notes',
    modelClass: Note,
    readableColumnNames: ['id', 'text', 'slug', 'created'],
    writeableColumnNames: ['text', 'slug'],
    sortableColumnNames: ['id'],
    searchableColumnNames: ['id', 'text', 'slug'],
    defaultSortColumnName: 'id',
  }),
];

/** Every request has a transaction with a variable. */
const rowLevelSecurity = { variables: () => ({ 'app.tenant': 'a' }) };

/** A module is known by its class; this one has nothing to inject. */
class Notes {}

await serve(
  ({ databaseUrl, replicaUrl, limits, pool, root = {}, isSecured = false }) => ({
    module: Notes,
    imports: [
      MikroOrmModule.forRoot({
        ...databaseOptions(databaseUrl, limits),
        entities: [Note],
        registerRequestContext: false,
        ...(pool && { pool }),
        ...(replicaUrl && { replicas: [{ clientUrl: replicaUrl }] }),
      }),
      EndpointsModule.forRoot({ ...root, ...(isSecured && { rowLevelSecurity }) }),
      EndpointsModule.forFeature(endpoints),
    ],
  }),
  async (app, { keepAliveTimeout, server }) => {
    await app.get(MikroORM).schema.update({ safe: true });
    setServerLimits(app, server);
    if (keepAliveTimeout !== undefined) app.getHttpServer().keepAliveTimeout = keepAliveTimeout;
  },
);
