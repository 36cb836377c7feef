import { expect } from '@jest/globals';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineEntity, p } from '@mikro-orm/core';
import { RequireClaims, TenantRecords } from '@nest-endpoints/auth';
import { defineColumns, EndpointGroup, RestfulApi } from '@nest-endpoints/core';
import {
  FileColumn,
  fileEndpoints,
  FileRecord,
  LocalFiles,
  SweepFiles,
  type StoredFile,
} from '@nest-endpoints/files';
import { service, type Subject } from '../support/contract.js';
import { Claims } from './claims.js';
import { announced, png } from './files.album.js';

const storage = new LocalFiles({
  directory: mkdtempSync(join(tmpdir(), 'files-')),
  secret: 'a secret of thirty-two characters',
});

/** Photos whose key is the tenant and a number. */
const Photo = defineEntity({
  name: 'Photo',
  properties: {
    tenant: p.string().length(20).primary(),
    id: p.integer().primary(),
    file: p.json<StoredFile>().nullable(),
  },
});

/** Scans whose key is a number, and whose tenant is a column like others. */
const Scan = defineEntity({
  name: 'Scan',
  properties: {
    id: p.integer().primary().autoincrement(),
    tenant: p.string().length(20),
    file: p.json<StoredFile>().nullable(),
  },
});

const type = new FileColumn({ storage, maximumBytes: 100_000, types: ['image/png'] });
const others = new FileColumn({ storage, maximumBytes: 100_000, types: ['image/png'] });
defineColumns(Photo, { file: { type } });
defineColumns(Scan, { file: { type: others } });

const lists = {
  readableColumnNames: ['id', 'file'],
  searchableColumnNames: ['id'],
  sortableColumnNames: ['id'],
  defaultSortColumnName: 'id',
} as const;

const authentication = new Claims();

const parted = service({
  entities: [Photo, FileRecord],
  root: {
    authentication,
    partition: {
      column: 'tenant',
      value: ({ authorizationData }) => Object(authorizationData).tenant as string,
    },
  },
  endpoints: [
    fileEndpoints({ url: 'photos/files', modelClass: Photo, columnName: 'file' }),
    new SweepFiles({ url: 'sweep', authorization: new RequireClaims('sub') }),
    new RestfulApi({ ...lists, url: 'photos', modelClass: Photo, writeableColumnNames: ['id', 'file'] }),
  ],
});

const scanned = service({
  entities: [Scan, FileRecord],
  endpoints: [
    new EndpointGroup({
      authentication,
      authorization: new TenantRecords({ columnName: 'tenant', claim: 'tenant' }),
      endpoints: [
        fileEndpoints({ url: 'scans/files', modelClass: Scan, columnName: 'file' }),
        new RestfulApi({ ...lists, url: 'scans', modelClass: Scan, writeableColumnNames: ['file'] }),
      ],
    }),
  ],
});

const by = (claims: object): Record<string, string> => ({ 'X-Claims': JSON.stringify(claims) });
const ann = by({ sub: 'ann', tenant: 'a' });
const bob = by({ sub: 'bob', tenant: 'b' });
const noFile = { file: 'the given file does not exist' };

const uploaded = async (
  { request }: Subject,
  url: string,
  sender: Record<string, string>,
): Promise<string> => {
  const bytes = png(`of ${url}`);
  const { body } = await request().post(url).set(sender).send(announced(bytes));
  const { key, upload } = Object(body).data as {
    key: string;
    upload: { url: string; headers: Record<string, string> };
  };
  expect((await request().put(upload.url).set(upload.headers).send(bytes)).status).toBe(200);
  return key;
};

const stateOf = async ({ em }: Subject, key: string): Promise<string | undefined> =>
  (await em().findOne(FileRecord, { key }))?.state;

parted.contract(
  'A record whose key is a tenant and a number gives up its own file alone',
  async (subject) => {
    const { request, em } = subject;
    const key = await uploaded(subject, '/photos/files', ann);
    const made = await request().post('/photos').set(ann).send({ id: 1, file: key });
    expect(made.status).toBe(201);
    for (const [sender, id] of [
      [bob, 1],
      [bob, 2],
      [ann, 2],
    ] as const) {
      expect((await request().post('/photos').set(sender).send({ id })).status).toBe(201);
      expect((await request().delete(`/photos/${id}`).set(sender)).status).toBe(200);
    }
    expect(await stateOf(subject, key)).toBe('attached');
    await em().nativeUpdate(FileRecord, { key }, { changedAt: new Date(Date.now() - 7_200_000) });
    await request().post('/sweep').set(ann);
    const { url } = Object(made.body).data.file as { url: string };
    expect((await request().get(url)).status).toBe(200);
    expect((await request().delete('/photos/1').set(ann)).status).toBe(200);
    expect(await stateOf(subject, key)).toBe('detached');
  },
);

parted.contract(
  'The file of a record whose key is a tenant and a number is no file for others',
  async (subject) => {
    const { request } = subject;
    const key = await uploaded(subject, '/photos/files', ann);
    expect((await request().post('/photos').set(ann).send({ id: 1, file: key })).status).toBe(201);
    expect((await request().post('/photos').set(bob).send({ id: 3 })).status).toBe(201);
    for (const [sender, id] of [
      [bob, 1],
      [bob, 2],
      [ann, 2],
    ] as const) {
      const { status, body } = await request().post('/photos').set(sender).send({ id, file: key });
      expect([status, Object(body).input_errors]).toEqual([400, noFile]);
    }
    const changed = await request().patch('/photos/3').set(bob).send({ file: key });
    expect([changed.status, changed.body.input_errors]).toEqual([400, noFile]);
    expect((await request().patch('/photos/1').set(ann).send({ file: key })).status).toBe(200);
    expect(await stateOf(subject, key)).toBe('attached');
  },
);

for (const [what, one, other] of [
  ['of one person in two tenants', { sub: 'ann', tenant: 'a' }, { sub: 'ann', tenant: 'b' }],
  ['of tokens without a subject', { tenant: 'a', user: 1 }, { tenant: 'a', user: 2 }],
] as const)
  scanned.contract(`A file that somebody else announced is no file: ${what}`, async (subject) => {
    const { request } = subject;
    const key = await uploaded(subject, '/scans/files', by({ ...one, jti: '1', exp: 1 }));
    const taken = await request().post('/scans').set(by(other)).send({ file: key });
    expect([taken.status, taken.body.input_errors]).toEqual([400, noFile]);
    // A later token of the same person.
    const own = await request()
      .post('/scans')
      .set(by({ ...one, jti: '2', exp: 2 }))
      .send({ file: key });
    expect(own.status).toBe(201);
  });

scanned.contract('Who announces a file shows who they are', async ({ request, count }) => {
  // No text says which of two numbers beyond 2^53 it was.
  const unknown = by({ tenant: 'a', user: 2 ** 60 });
  const { status } = await request()
    .post('/scans/files')
    .set(unknown)
    .send(announced(png('odd')));
  expect(status).toBe(500);
  expect(await count(FileRecord)).toBe(0);
});
