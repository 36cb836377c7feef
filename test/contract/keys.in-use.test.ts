import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { RestfulApi, UpdateMany, Upsert } from '@nest-endpoints/core';
import { everyDatabase, service, type Subject } from '../support/contract.js';

/** Refers to another folder by its number, which a folder may change while nobody refers to it. */
const Folder = defineEntity({
  name: 'Folder',
  properties: {
    id: p.integer().primary().autoincrement(false),
    code: p.string().length(8).unique(),
    parent: () => p.manyToOne(Folder).nullable().deleteRule('no action').updateRule('no action'),
  },
});

const folders = {
  modelClass: Folder,
  readableColumnNames: ['id', 'code', 'parentId'],
  writeableColumnNames: ['id', 'code', 'parentId'],
} as const;

const { contract } = service(
  {
    entities: [Folder],
    endpoints: [
      new UpdateMany({ ...folders, url: 'bycode/bulk', recordLookupColumnName: 'code' }),
      new Upsert({ ...folders, url: 'put', conflictColumnNames: ['code'] }),
      new RestfulApi({
        ...folders,
        url: 'folders',
        sortableColumnNames: ['id'],
        searchableColumnNames: ['id'],
        defaultSortColumnName: 'id',
        bulk: true,
      }),
    ],
  },
  everyDatabase,
);

const inUse = 'Other records still refer to this record';

/** The second folder is in the first one, the third in none. */
const made = async ({ save }: Subject) => {
  await save(Folder, { id: 1, code: 'a' });
  await save(Folder, { id: 2, code: 'b', parent: 1 });
  await save(Folder, { id: 3, code: 'c' });
};

contract('A key that others of the same table refer to is a 409, whatever else is sent', async (subject) => {
  const { request } = subject;
  await made(subject);
  for (const body of [{ id: 9 }, { id: 9, parent_id: 3 }, { id: 9, code: 'x', parent_id: null }]) {
    const { status, body: answer } = await request().patch('/folders/1').send(body);
    expect([body, status, answer.error, answer.input_errors]).toEqual([body, 409, inUse, {}]);
  }
  const put = await request().put('/put').send({ code: 'a', id: 9, parent_id: 3 });
  expect([put.status, put.body.error]).toEqual([409, inUse]);
  const records = [
    { id: 3, code: 'y' },
    { id: 1, code: 'z' },
  ];
  expect((await request().patch('/folders/bulk').send({ records })).status).toBe(200);
  const changed = await request()
    .patch('/bycode/bulk')
    .send({
      records: [
        { code: 'y', id: 8 },
        { code: 'z', id: 9 },
      ],
    });
  expect([changed.status, changed.body.error]).toEqual([409, `records.1: ${inUse}`]);
  const deleted = await request().delete('/folders/1');
  expect([deleted.status, deleted.body.error]).toEqual([409, inUse]);
  const many = await request()
    .delete('/folders/bulk')
    .send({ ids: [3, 1] });
  expect([many.status, many.body.error]).toEqual([409, `ids.1: ${inUse}`]);
  expect((await request().patch('/folders/3').send({ id: 9 })).status).toBe(200);
});

contract('A key of the same table that is not there is input_errors on its column', async (subject) => {
  const { request } = subject;
  await made(subject);
  for (const body of [{ parent_id: 99 }, { id: 9, parent_id: 99 }]) {
    const { status, body: answer } = await request().patch('/folders/3').send(body);
    expect([status, answer.input_errors]).toEqual([400, { parent_id: 'the given record does not exist' }]);
  }
});
