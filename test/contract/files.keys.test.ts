import { expect } from '@jest/globals';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineEntity, p } from '@mikro-orm/core';
import { TenantRecords } from '@nest-endpoints/auth';
import { defineColumns, EndpointGroup, RestfulApi } from '@nest-endpoints/core';
import { FileColumn, fileEndpoints, FileRecord, LocalFiles, type StoredFile } from '@nest-endpoints/files';
import { bothPostgresql, service, type Subject } from '../support/contract.js';
import { Claims } from './claims.js';
import { png, upload } from './files.album.js';

const storage = new LocalFiles({
  directory: mkdtempSync(join(tmpdir(), 'nest-endpoints-files-')),
  secret: 'a secret of more than thirty-two characters',
});

/** Its key is written by clients, and may change. */
const Paper = defineEntity({
  name: 'Paper',
  properties: {
    id: p.integer().primary().autoincrement(false),
    tenant: p.string(),
    name: p.string(),
    file: p.json<StoredFile>().nullable(),
  },
});
defineColumns(Paper, {
  file: { type: new FileColumn({ storage, maximumBytes: 100_000, types: ['image/png'] }) },
});

const { contract } = service(
  {
    entities: [Paper, FileRecord],
    endpoints: [
      new EndpointGroup({
        authentication: new Claims(),
        authorization: new TenantRecords({ columnName: 'tenant', claim: 'tenant' }),
        endpoints: [
          fileEndpoints({ url: 'papers/files', modelClass: Paper, columnName: 'file' }),
          new RestfulApi({
            url: 'papers',
            modelClass: Paper,
            readableColumnNames: ['id', 'name', 'file'],
            writeableColumnNames: ['id', 'name', 'file'],
            searchableColumnNames: ['name'],
            sortableColumnNames: ['id'],
            defaultSortColumnName: 'id',
          }),
        ],
      }),
    ],
  },
  bothPostgresql,
);

const as = (tenant: string) => ({ 'X-Claims': JSON.stringify({ sub: `of ${tenant}`, tenant }) });

/** Uploads a file. @returns its key */
const uploaded = (subject: Subject, tenant: string): Promise<string> =>
  upload(subject, png(`of ${tenant}`), {}, { path: '/papers/files', sender: as(tenant) });

const stateOf = async ({ em }: Subject, key: string) => {
  const { state, recordId } = await em().findOneOrFail(FileRecord, { key });
  return [state, recordId];
};

const noSuchFile = { file: 'the given file does not exist' };

contract('The file of a record whose key changes stays its own, and nobody else’s', async (subject) => {
  const { request } = subject;
  const key = await uploaded(subject, 'b');
  await request().post('/papers').set(as('b')).send({ id: 10, name: 'b', file: key });
  expect((await request().patch('/papers/10').set(as('b')).send({ id: 12 })).status).toBe(200);
  expect(await stateOf(subject, key)).toEqual(['attached', '12']);

  const taken = await request().post('/papers').set(as('a')).send({ id: 10, name: 'a', file: key });
  expect([taken.status, taken.body.input_errors]).toEqual([400, noSuchFile]);
  expect((await request().post('/papers').set(as('a')).send({ id: 10, name: 'a' })).status).toBe(201);
  expect((await request().delete('/papers/10').set(as('a'))).status).toBe(200);
  expect(await stateOf(subject, key)).toEqual(['attached', '12']);

  // Sent once more, it is the same one.
  const again = await request().patch('/papers/12').set(as('b')).send({ file: key });
  expect([again.status, (await request().get(again.body.data.file.url)).status]).toEqual([200, 200]);
});

contract('A new record gets no file of one that is gone', async (subject) => {
  const { request, em } = subject;
  const key = await uploaded(subject, 'b');
  await request().post('/papers').set(as('b')).send({ id: 10, name: 'b', file: key });
  await em().nativeDelete(Paper, { id: 10 });
  const taken = await request().post('/papers').set(as('a')).send({ id: 10, name: 'a', file: key });
  expect([taken.status, taken.body.input_errors]).toEqual([400, noSuchFile]);
});

contract('The end of a record takes nothing but the file that stands in its row', async (subject) => {
  const { request, em } = subject;
  const key = await uploaded(subject, 'b');
  await request().post('/papers').set(as('b')).send({ id: 10, name: 'b', file: key });
  // SQL of the application's own, which no subscriber hears of.
  await em().nativeUpdate(Paper, { id: 10 }, { id: 12 });
  const other = await uploaded(subject, 'a');
  await request().post('/papers').set(as('a')).send({ id: 10, name: 'a', file: other });
  expect((await request().delete('/papers/10').set(as('a'))).status).toBe(200);
  expect([await stateOf(subject, key), await stateOf(subject, other)]).toEqual([
    ['attached', '10'],
    ['detached', '10'],
  ]);
});

contract('A file that was copied into a row of somebody else is not theirs', async (subject) => {
  const { request, em } = subject;
  const key = await uploaded(subject, 'b');
  await request().post('/papers').set(as('b')).send({ id: 10, name: 'b', file: key });
  const { file } = await em().findOneOrFail(Paper, 10);
  await em().insert(Paper, { id: 11, tenant: 'a', name: 'a', file });
  const sent = await request().patch('/papers/11').set(as('a')).send({ id: 13, file: key });
  expect([sent.status, sent.body.input_errors]).toEqual([400, noSuchFile]);
  expect((await request().patch('/papers/11').set(as('a')).send({ id: 13 })).status).toBe(200);
  expect((await request().delete('/papers/13').set(as('a'))).status).toBe(200);
  expect(await stateOf(subject, key)).toEqual(['attached', '10']);
});

contract(
  'What code of the application has not loaded of a record counts as what is stored',
  async (subject) => {
    const { request } = subject;
    const [first, second] = [await uploaded(subject, 'b'), await uploaded(subject, 'b')];
    await request().post('/papers').set(as('b')).send({ id: 10, name: 'b', file: first });
    const change = async (file: object): Promise<void> => {
      const em = subject.em();
      em.getReference(Paper, 10).file = file as StoredFile;
      await em.flush();
    };
    await change({ key: first });
    expect(await stateOf(subject, first)).toEqual(['attached', '10']);
    await change({ key: second });
    expect([await stateOf(subject, first), await stateOf(subject, second)]).toEqual([
      ['detached', '10'],
      ['attached', '10'],
    ]);
    const em = subject.em();
    const partly = await em.findOneOrFail(Paper, 10, { fields: ['name'] });
    Reflect.set(partly, 'id', 12);
    await em.flush();
    expect(await stateOf(subject, second)).toEqual(['attached', '12']);
    const own = subject.em();
    own.remove(own.getReference(Paper, 12));
    await own.flush();
    expect(await stateOf(subject, second)).toEqual(['detached', '12']);
  },
);
