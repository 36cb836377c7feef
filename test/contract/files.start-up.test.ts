import { describe, expect, test } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { Authorization, defineColumns, List, type EndpointOrGroup } from '@nest-endpoints/core';
import {
  FileColumn,
  fileEndpoints,
  FileRecord,
  LocalFiles,
  SweepFiles,
  type FileColumnOptions,
  type LocalFilesOptions,
} from '@nest-endpoints/files';
import { MemoryLimits, RateLimit } from '@nest-endpoints/limits';
import { startApplication, startUpError } from '../support/application.js';
import { announced, png, storage } from './files.album.js';

const given = { storage, maximumBytes: 1000, types: ['image/png'] } as const;

const Sheet = defineEntity({
  name: 'Sheet',
  properties: { id: p.integer().primary(), text: p.string(), file: p.json<object>().nullable() },
});
defineColumns(Sheet, { file: { type: new FileColumn(given) } });

const Misfit = defineEntity({
  name: 'Misfit',
  properties: { id: p.integer().primary(), file: p.string() },
});
defineColumns(Misfit, { file: { type: new FileColumn(given) } });

const files = (more: object = {}) =>
  fileEndpoints({ url: 'sheets/files', modelClass: Sheet, columnName: 'file', ...more });

const stopped = (endpoints: readonly EndpointOrGroup[], others: object = {}) =>
  startUpError({ entities: [Sheet, Misfit, FileRecord], endpoints, ...others });

describe.each([
  ['storage', {}],
  ['maximumBytes', 0],
  ['maximumBytes', 5 * 1024 ** 3 + 1],
  ['types', []],
  ['types', ['image/*']],
  ['public', 'yes'],
  ['inline', 1],
  ['variants', {}],
  ['storage', undefined],
])('%s, %s', (option, value) => {
  test('An option of a FileColumn that is not allowed stops the start', () => {
    const wrong = { ...given, [option]: value } as unknown as FileColumnOptions;
    expect(() => new FileColumn(wrong)).toThrow(expect.objectContaining({ owner: 'FileColumn', option }));
  });
});

describe.each([
  ['directory', ''],
  ['directory', undefined],
  ['secret', 'short'],
  ['secret', []],
  ['secret', ['a secret of thirty-two characters', 'short']],
  ['url', 'https://api.example/'],
  ['url', 'javascript:alert(1)'],
  ['path', '/tmp'],
])('%s, %s', (option, value) => {
  test('An option of LocalFiles that is not allowed stops the start', () => {
    const wrong = { directory: '/tmp', secret: 'a secret of thirty-two characters', [option]: value };
    expect(() => new LocalFiles(wrong as LocalFilesOptions)).toThrow(
      expect.objectContaining({ owner: 'LocalFiles', option }),
    );
  });
});

const misfit = new List({
  url: 'x',
  modelClass: Misfit,
  readableColumnNames: ['file'],
  sortableColumnNames: ['id'],
  defaultSortColumnName: 'id',
});
const sweep = new SweepFiles({ url: 'files/sweep', authorization: undefined as unknown as Authorization });

describe.each([
  [
    'modelClass: add FileRecord of @nest-endpoints/files to `entities` of MikroORM, and its table',
    files(),
    { entities: [Sheet] },
  ],
  ["url: ':id' is not allowed: urls of files know no parameters", files({ url: 'sheets/:id/files' }), {}],
  ['modelClass: files are kept in one schema', files(), { root: { schemaOf: () => 'a' } }],
  ['a File column is not possible here: the property keeps no JSON', misfit, {}],
  ["SweepFiles 'files/sweep': authorization: is required", sweep, {}],
])('%s', (message, endpoint, others) => {
  test('Endpoints of files that cannot be kept stop the start', async () => {
    expect(await stopped([endpoint], others)).toContain(message);
  });
});

test('Endpoints of a column without files are refused when they are made', () => {
  expect(() => files({ columnName: 'text' })).toThrow(
    "fileEndpoints 'sheets/files': columnName: defineColumns says of no FileColumn 'text'",
  );
});

test('A limit says how many files somebody may announce, and lets their bytes pass', async () => {
  const quota = new RateLimit({ quota: 1, window: 'day', methods: ['POST'], store: new MemoryLimits() });
  const application = await startApplication('express', 'sqlite', {
    entities: [Sheet, FileRecord],
    endpoints: [files({ limits: [quota] })],
  });
  try {
    const announce = () => application.request().post('/sheets/files').send(announced(png()));
    const { status, body } = await announce();
    const refused = await announce();
    expect([status, refused.status]).toEqual([201, 429]);
    const { upload } = body.data as { upload: { url: string; headers: Record<string, string> } };
    const sent = await application.request().put(upload.url).set(upload.headers).send(png());
    expect(sent.status).toBe(200);
  } finally {
    await application.close();
  }
});

test('Urls begin as the application says', async () => {
  const Page = defineEntity({
    name: 'Page',
    properties: { id: p.integer().primary(), file: p.json<object>().nullable() },
  });
  const type = new FileColumn({
    ...given,
    storage: new LocalFiles({
      directory: '/tmp',
      secret: 'a secret of thirty-two characters',
      url: 'https://api.example',
    }),
  });
  defineColumns(Page, { file: { type } });
  const application = await startApplication('fastify', 'sqlite', {
    entities: [Page, FileRecord],
    endpoints: [fileEndpoints({ url: 'pages/files', modelClass: Page, columnName: 'file' })],
    configure: (app) => app.setGlobalPrefix('api'),
  });
  try {
    const { body } = await application
      .request()
      .post('/api/pages/files')
      .send({ name: 'a.png', type: 'image/png', bytes: 1, sha256: '0'.repeat(64) });
    const { key, upload } = body.data as { key: string; upload: { url: string } };
    const start = `https://api.example/api/pages/files/${key}?`;
    expect(upload.url.slice(0, start.length)).toBe(start);
    const shown = JSON.parse(
      type.toWire({ key, name: 'a.png', type: 'image/png', bytes: 1, sha256: '0'.repeat(64) }),
    ) as { readonly url: string };
    expect(shown.url.slice(0, start.length)).toBe(start);
  } finally {
    await application.close();
  }
});
