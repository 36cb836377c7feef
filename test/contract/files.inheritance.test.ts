import { expect } from '@jest/globals';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineEntity, p } from '@mikro-orm/core';
import { TenantRecords } from '@nest-endpoints/auth';
import { defineColumns, EndpointGroup, RestfulApi } from '@nest-endpoints/core';
import { FileColumn, fileEndpoints, FileRecord, LocalFiles, type StoredFile } from '@nest-endpoints/files';
import { startUpError } from '../support/application.js';
import { everyDatabase, service, type Subject } from '../support/contract.js';
import { Claims } from './claims.js';
import { png, stateOf, upload } from './files.album.js';

const storage = new LocalFiles({
  directory: mkdtempSync(join(tmpdir(), 'files-')),
  secret: 'a secret of thirty-two characters',
});
const fileColumn = () => new FileColumn({ storage, maximumBytes: 100_000, types: ['image/png'] });

const Paper = defineEntity({
  name: 'Paper',
  discriminatorColumn: 'kind',
  discriminatorValue: 'paper',
  properties: {
    id: p.integer().primary().autoincrement(),
    kind: p.string().length(20),
    tenant: p.string().length(20),
    file: p.json<StoredFile>().nullable(),
  },
});

const Contract = defineEntity({
  name: 'Contract',
  extends: Paper,
  discriminatorValue: 'contract',
  properties: { scan: p.json<StoredFile>().nullable() },
});

const Lease = defineEntity({
  name: 'Lease',
  extends: Contract,
  discriminatorValue: 'lease',
  properties: { months: p.integer().nullable() },
});

/** A table of its own, whose column has the type of another one. */
const Memo = defineEntity({
  name: 'Memo',
  properties: {
    id: p.integer().primary().autoincrement(),
    tenant: p.string().length(20),
    file: p.json<StoredFile>().nullable(),
  },
});

const type = fileColumn();
defineColumns(Paper, { file: { type } });
defineColumns(Contract, { scan: { type: fileColumn() } });
defineColumns(Memo, { file: { type } });

const columns = {
  readableColumnNames: ['id', 'file'],
  writeableColumnNames: ['file'],
  searchableColumnNames: ['id'],
  sortableColumnNames: ['id'],
  defaultSortColumnName: 'id',
} as const;

const { contract } = service(
  {
    entities: [Paper, Contract, Lease, Memo, FileRecord],
    endpoints: [
      new EndpointGroup({
        authentication: new Claims(),
        authorization: new TenantRecords({ columnName: 'tenant', claim: 'tenant' }),
        endpoints: [
          fileEndpoints({ url: 'papers/files', modelClass: Paper, columnName: 'file' }),
          fileEndpoints({ url: 'contracts/scans', modelClass: Contract, columnName: 'scan' }),
          new RestfulApi({ ...columns, url: 'papers', modelClass: Paper }),
          new RestfulApi({
            ...columns,
            url: 'contracts',
            modelClass: Contract,
            readableColumnNames: ['id', 'file', 'scan'],
            writeableColumnNames: ['file', 'scan'],
          }),
          new RestfulApi({ ...columns, url: 'leases', modelClass: Lease }),
          new RestfulApi({ ...columns, url: 'memos', modelClass: Memo }),
        ],
      }),
    ],
  },
  everyDatabase,
);

const as = (tenant: string) => ({ 'X-Claims': JSON.stringify({ sub: `of ${tenant}`, tenant }) });

/** Uploads a file. @returns its key */
const uploaded = (subject: Subject, tenant: string, path = '/papers/files'): Promise<string> =>
  upload(subject, png(`of ${tenant}`), {}, { path, sender: as(tenant) });

const noSuchFile = 'the given file does not exist';

contract(
  'A file that a record has is none for records of entities that share its column',
  async (subject) => {
    const { request } = subject;
    const key = await uploaded(subject, 'b');
    const { id } = (await request().post('/papers').set(as('b')).send({ file: key })).body.data;
    for (const path of ['/papers', '/contracts', '/leases', '/memos']) {
      const taken = await request().post(path).set(as('a')).send({ file: key });
      expect([path, taken.status, taken.body.input_errors]).toEqual([path, 400, { file: noSuchFile }]);
    }
    const own = (await request().post('/leases').set(as('a')).send({})).body.data;
    for (const path of ['/papers', '/contracts', '/leases']) {
      const taken = await request().patch(`${path}/${own.id}`).set(as('a')).send({ file: key });
      expect([path, taken.status, taken.body.input_errors]).toEqual([path, 400, { file: noSuchFile }]);
    }
    expect(await stateOf(subject, key)).toBe(`attached ${id}`);
  },
);

contract('Records of entities that extend one with files have files, and give them up', async (subject) => {
  const { request } = subject;
  for (const path of ['/contracts', '/leases']) {
    const [first, second] = [await uploaded(subject, 'a'), await uploaded(subject, 'a')];
    const made = await request().post(path).set(as('a')).send({ file: first });
    const { id, file } = made.body.data;
    expect([made.status, (await request().get(file.url)).status]).toEqual([201, 200]);
    expect(await stateOf(subject, first)).toBe(`attached ${id}`);
    // The endpoint of the root writes it, too.
    expect((await request().patch(`/papers/${id}`).set(as('a')).send({ file: second })).status).toBe(200);
    expect([await stateOf(subject, first), await stateOf(subject, second)]).toEqual([
      `detached ${id}`,
      `attached ${id}`,
    ]);
    expect((await request().delete(`${path}/${id}`).set(as('a'))).status).toBe(200);
    expect(await stateOf(subject, second)).toBe(`detached ${id}`);
  }
});

contract('A column that an entity adds to the one it extends has files of its own', async (subject) => {
  const { request } = subject;
  const scan = await uploaded(subject, 'a', '/contracts/scans');
  const wrong = await request().post('/contracts').set(as('a')).send({ file: scan });
  expect([wrong.status, wrong.body.input_errors]).toEqual([400, { file: noSuchFile }]);
  const made = await request().post('/contracts').set(as('a')).send({ scan });
  expect([made.status, made.body.data.scan.name]).toEqual([201, 'sea.png']);
  expect(await stateOf(subject, scan)).toBe(`attached ${made.body.data.id}`);
});

contract('Two columns of files with one name in one table stop the start', async () => {
  const Sheet = defineEntity({
    name: 'Sheet',
    discriminatorColumn: 'kind',
    discriminatorValue: 'sheet',
    properties: {
      id: p.integer().primary().autoincrement(),
      kind: p.string().length(20),
      file: p.json<StoredFile>().nullable(),
    },
  });
  const Draft = defineEntity({ name: 'Draft', extends: Sheet, discriminatorValue: 'draft', properties: {} });
  defineColumns(Sheet, { file: { type: fileColumn() } });
  defineColumns(Draft, { file: { type: fileColumn() } });
  const endpoints = [
    fileEndpoints({ url: 'sheets/files', modelClass: Sheet, columnName: 'file' }),
    fileEndpoints({ url: 'drafts/files', modelClass: Draft, columnName: 'file' }),
  ];
  expect(await startUpError({ entities: [Sheet, Draft, FileRecord], endpoints })).toContain(
    'defineColumns(Sheet): file: entities of one table that have this column must share one FileColumn',
  );
});
