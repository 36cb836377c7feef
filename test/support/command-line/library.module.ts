// The application that commands are run against, in processes of their own. Node itself reads this file, so it has no
// decorators, and its types can be stripped.
import { defineEntity, p } from '@mikro-orm/core';
import { MikroOrmModule } from '@mikro-orm/nestjs';
import { PostgreSqlDriver } from '@mikro-orm/postgresql';
import { RequireClaims, RequireScopes, SecretBearer } from '@nest-endpoints/auth';
import {
  anyOf,
  AdvancedSearch,
  Callable,
  Create,
  EndpointGroup,
  EndpointsModule,
  Export,
  Import,
  PlainAnswers,
  RestfulApi,
  SimpleSearch,
  softDelete,
} from '@nest-endpoints/core';
import { Migrations } from '@nest-endpoints/migrations';
import { Schema } from '@nest-endpoints/openapi';
import { Module } from '@nestjs/common';
import { Readable } from 'node:stream';

export const Novel = defineEntity({
  name: 'Novel',
  properties: {
    id: p.integer().primary().autoincrement(),
    title: p.string().length(200),
    pages: p.integer().nullable(),
    rating: p.double().nullable(),
    isRead: p.boolean().nullable(),
    published: p.date().nullable(),
    extra: p.json().nullable(),
    version: p.integer().version(),
  },
});

/** A record whose key clients choose. */
export const Mark = defineEntity({
  name: 'Mark',
  properties: { code: p.string().length(20).primary(), label: p.string().length(200) },
});

/** A record that is deleted by a mark. */
export const Draft = defineEntity({
  name: 'Draft',
  properties: {
    id: p.integer().primary().autoincrement(),
    title: p.string().length(200),
    deletedAt: p.datetime().nullable(),
  },
});
softDelete(Draft, { columnName: 'deletedAt' });

const columns = ['title', 'pages', 'rating', 'isRead', 'published', 'extra'] as const;

const novels = {
  modelClass: Novel,
  readableColumnNames: ['id', ...columns],
  sortableColumnNames: ['id', 'title', 'pages'],
  searchableColumnNames: ['id', 'title', 'pages'],
  defaultSortColumnName: 'id',
} as const;

const library = [
  new RestfulApi({
    ...novels,
    url: 'novels',
    writeableColumnNames: [...columns],
    description: 'What is on the shelf',
  }),
  new Import({ ...novels, url: 'shelves/import', writeableColumnNames: [...columns] }),
  new Export({ ...novels, url: 'shelves/export', readableColumnNames: ['title', 'pages'] }),
  new AdvancedSearch({ ...novels, url: 'search' }),
  new EndpointGroup({
    url: 'picked',
    endpoints: [
      new AdvancedSearch({ ...novels, url: 'search', clientSelectsColumns: true }),
      new RestfulApi({
        ...novels,
        url: 'novels',
        writeableColumnNames: [...columns],
        clientSelectsColumns: true,
        includableColumnNames: ['version'],
      }),
    ],
  }),
  new EndpointGroup({
    url: 'title',
    externalCasing: 'TitleCase',
    endpoints: [
      new RestfulApi({ ...novels, url: 'novels', writeableColumnNames: [...columns], import: true }),
    ],
  }),
  new EndpointGroup({
    url: 'plain',
    answers: new PlainAnswers(),
    endpoints: [
      new RestfulApi({ ...novels, url: 'novels', writeableColumnNames: [...columns] }),
      new AdvancedSearch({ ...novels, url: 'search', pagination: 'keyset' }),
      new SimpleSearch({ ...novels, url: 'found' }),
    ],
  }),
  new RestfulApi({
    url: 'drafts',
    modelClass: Draft,
    trash: { purge: true },
    readableColumnNames: ['id', 'title'],
    writeableColumnNames: ['title'],
    sortableColumnNames: ['id'],
    searchableColumnNames: ['id'],
    defaultSortColumnName: 'id',
  }),
  new RestfulApi({
    url: 'marks',
    modelClass: Mark,
    upsert: true,
    readableColumnNames: ['code', 'label'],
    writeableColumnNames: ['label'],
    sortableColumnNames: ['code'],
    searchableColumnNames: ['code'],
    defaultSortColumnName: 'code',
  }),
  new Create({
    ...novels,
    url: 'slow/novels',
    writeableColumnNames: ['title'],
    afterSave: async ({ em }) => {
      console.log('saved, not committed');
      await em.execute('select pg_sleep(60)');
    },
  }),
  new Create({
    ...novels,
    url: 'talking/novels',
    writeableColumnNames: ['title'],
    afterSave: async ({ em }) => {
      await new Promise((written) => process.stdout.write('saved, not committed\n', written));
      await em.execute('select 1');
    },
  }),
  new Callable({
    url: 'echo',
    requestMethods: ['GET', 'POST', 'PUT', 'DELETE'],
    toCall: ({ requestData, queryParameters, requestHeaders }) => ({
      body: requestData,
      query: queryParameters,
      headers: requestHeaders,
    }),
  }),
  new Callable({
    url: 'retired',
    hidden: true,
    deprecated: {
      since: '2026-01-01',
      sunset: '2099-12-31',
      link: 'https://example.org/why',
      successor: '/novels',
    },
    toCall: () => 'still here',
  }),
  new Callable({
    url: 'noisy',
    toCall: () => {
      console.log('the application prints');
    },
  }),
  new Callable({
    url: 'lines',
    returnStandardResponse: false,
    responseHeaders: ['content-type: text/plain'],
    toCall: () => Readable.from(lines()),
  }),
  new Callable({
    url: 'endless',
    requestMethods: ['POST'],
    readOnly: true,
    returnStandardResponse: false,
    responseHeaders: ['content-type: text/plain'],
    toCall: () => Readable.from(endlessLines()),
  }),
  new Callable({
    url: 'sums',
    requestMethods: ['POST'],
    returnStandardResponse: false,
    toCall: ({ requestData }) => {
      const { sum, start } = { ...requestData };
      const pagination = Number(start) > 0 ? {} : { next_page: { start: 1 } };
      return Response.json({
        status: 'success',
        error: '',
        data: [String(sum)],
        pagination,
        input_errors: {},
      });
    },
  }),
  new Callable({
    url: 'linked/sums',
    requestMethods: ['POST'],
    returnStandardResponse: false,
    toCall: ({ requestData, queryParameters }) =>
      Response.json([String(requestData?.['sum'])], {
        headers: {
          link: `</linked/sums?start=1>; rel="${Object.hasOwn(queryParameters, 'start') ? 'first' : 'next'}"`,
        },
      }),
  }),
  new Callable({
    url: 'exact',
    returnStandardResponse: false,
    toCall: () =>
      new Response(
        `{"status": "success", "error": "", "data": [{"sum": 9007199254740993.10, "text": "a, \\"b\\""}, []],
  "pagination": {}, "input_errors": {}}`,
        { headers: { 'content-type': 'application/json' } },
      ),
  }),
  new Callable({ url: 'hostile', toCall: () => [{ text: hostileText }] }),
  new Callable({
    url: 'hostile/lines',
    returnStandardResponse: false,
    responseHeaders: ['content-type: application/x-ndjson'],
    toCall: () => Readable.from([`${JSON.stringify({ text: hostileText })}\n`]),
  }),
  new Callable({
    url: 'hostile/text',
    returnStandardResponse: false,
    responseHeaders: ['content-type: text/csv'],
    toCall: () => Readable.from([`text\n${hostileText}\n`]),
  }),
  new Callable({
    url: 'hostile/json',
    returnStandardResponse: false,
    toCall: () =>
      new Response(`{"text": "${hostileText}"}`, { headers: { 'content-type': 'application/json' } }),
  }),
  new Callable({
    url: 'secret',
    toCall: () => 'told',
    authentication: new SecretBearer({ environmentKey: 'LIBRARY_SECRET' }),
  }),
  new EndpointGroup({
    url: 'ruled',
    authorization: new RequireScopes('novels'),
    endpoints: [
      new Callable({
        url: '',
        authorization: anyOf(new RequireClaims('email'), new RequireScopes('all')),
        toCall: () => 'told',
      }),
    ],
  }),
  new Migrations({ url: 'migrations', sql: [], unmanaged: ['public.novel', 'public.mark'] }),
  new EndpointGroup({ url: 'documented', endpoints: [new Schema({ url: 'schema' })] }),
];

/** A hundred lines at a time. */
/** Commands to a terminal, a direction, a line that is none, and an emoji of two with a joiner. */
const hostileText = '\u001b[31mred\u0007\u202e\u009b\u2028👩\u200d🚀';

function* lines(): Generator<string> {
  for (let number = 0; number < 1_000_000; number += 100)
    yield Array.from({ length: 100 }, (_, index) => `line ${String(number + index)}\n`).join('');
}

// Tells the test that nobody reads standard output any more.
if (process.env['LIBRARY_TELLS'])
  process.stdout.on('error', ({ message }) => process.stderr.write(`${message}\n`));

function* endlessLines(): Generator<string> {
  for (;;) yield 'line\n'.repeat(100);
}

const clientUrl = process.env['DATABASE_URL'] ?? '';

class AppModule {}
Module({
  imports: [
    MikroOrmModule.forRoot({ driver: PostgreSqlDriver, clientUrl, entities: [Novel, Mark, Draft] }),
    EndpointsModule.forRoot(),
    EndpointsModule.forFeature(library),
  ],
})(AppModule);

export { AppModule };
