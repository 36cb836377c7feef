import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import {
  CreatedByAuthorizationDataColumn,
  CreateMany,
  defineColumns,
  DeleteMany,
  MaximumValue,
  UpdatedByAuthorizationDataColumn,
  UpdateMany,
} from '@nest-endpoints/core';
import { expectAnswer, inputErrors, success } from '../support/answers.js';
import { everyDatabase, service, type Subject } from '../support/contract.js';
import { Claims } from './claims.js';

const Label = defineEntity({
  name: 'Label',
  properties: { id: p.integer().primary(), name: p.string() },
});

const Note = defineEntity({
  name: 'Note',
  uniques: [{ properties: ['tenant', 'code'] }],
  properties: {
    id: p.integer().primary().autoincrement(),
    tenant: p.integer(),
    code: p.string().length(20),
    size: p.integer().default(0),
    labels: () => p.manyToMany(Label),
    madeBy: p.string().nullable(),
    changedBy: p.string().nullable(),
  },
});

defineColumns(Note, {
  madeBy: { type: new CreatedByAuthorizationDataColumn('sub') },
  changedBy: { type: new UpdatedByAuthorizationDataColumn('sub') },
});

const notes = {
  modelClass: Note,
  readableColumnNames: ['tenant', 'code', 'size', 'madeBy', 'changedBy'],
  writeableColumnNames: ['code', 'size'],
} as const;

const labelled = {
  modelClass: Note,
  readableColumnNames: ['code', 'labelIds'],
  writeableColumnNames: ['code', 'labelIds'],
} as const;

const small = { size: { validators: [new MaximumValue(9)] } } as const;

const { contract } = service(
  {
    entities: [Label, Note],
    root: {
      authentication: new Claims(),
      partition: { column: 'tenant', value: ({ requestHeaders }) => Number(requestHeaders['x-tenant']) },
    },
    endpoints: [
      new CreateMany({ ...notes, url: 'notes', columnOverrides: small }),
      new UpdateMany({ ...notes, url: 'notes', columnOverrides: small }),
      new DeleteMany({ modelClass: Note, url: 'notes' }),
      new CreateMany({
        ...notes,
        url: 'kept',
        conflictColumnNames: ['tenant', 'code'],
        onConflict: 'update',
      }),
      new CreateMany({ ...labelled, url: 'labelled' }),
      new UpdateMany({ ...labelled, url: 'labelled' }),
      new CreateMany({
        ...labelled,
        url: 'kept-labelled',
        conflictColumnNames: ['tenant', 'code'],
        onConflict: 'update',
      }),
    ],
  },
  everyDatabase,
);

const by = (tenant: number, sub: string) => ({
  'X-Tenant': String(tenant),
  'X-Claims': JSON.stringify({ sub }),
});

const post = ({ request }: Subject, url: string, headers: Record<string, string>, records: object[]) =>
  request().post(url).set(headers).send({ records });

contract(
  'Writes of many records stay in the partition, and say who made and changed each',
  async (subject) => {
    const { request } = subject;
    const ann = by(5, 'ann');
    const made = (code: string) => ({ tenant: 5, code, size: 1, made_by: 'ann', changed_by: 'ann' });
    const records = ['A', 'B'].map((code) => ({ code, size: 1 }));
    expectAnswer(await post(subject, '/notes', ann, records), 201, success([made('A'), made('B')]));
    expect((await post(subject, '/notes', by(6, 'eve'), records)).status).toBe(201);
    const changed = await request()
      .patch('/notes')
      .set(by(5, 'bea'))
      .send({
        records: [
          { id: 2, size: 2 },
          { id: 1, size: 1 },
        ],
      });
    expectAnswer(changed, 200, success([{ ...made('B'), size: 2, changed_by: 'bea' }, made('A')]));
    const missing = inputErrors({ 'ids.1': 'the given record does not exist' });
    const foreign = { ids: [1, 3] };
    const patched = await request()
      .patch('/notes')
      .set(ann)
      .send({ ...foreign, changes: { size: 3 } });
    expectAnswer(patched, 400, missing);
    expectAnswer(await request().delete('/notes').set(ann).send(foreign), 400, missing);
    expect(await subject.count(Note)).toBe(4);
    expectAnswer(
      await request()
        .delete('/notes')
        .set(ann)
        .send({ ids: [2, 1] }),
      200,
      success({}),
    );
    expect((await subject.em().findAll(Note)).map(({ tenant, size }) => [tenant, size])).toEqual([
      [6, 1],
      [6, 1],
    ]);
  },
);

contract(
  'A key of one partition is none of the next, where many records are created or changed',
  async (subject) => {
    const records = [{ code: 'A', size: 1 }, { code: 'B' }];
    const statusOf = async (tenant: number, sub: string) =>
      (await post(subject, '/kept', by(tenant, sub), records)).status;
    expect([await statusOf(5, 'ann'), await statusOf(6, 'bea'), await statusOf(5, 'cid')]).toEqual([
      201, 201, 200,
    ]);
    const changed = await post(subject, '/kept', by(6, 'dan'), [{ code: 'A', size: 7 }]);
    const shown = { tenant: 6, code: 'A', size: 7, made_by: 'bea', changed_by: 'dan' };
    expectAnswer(changed, 200, success([shown]));
    expect(await subject.count(Note)).toBe(4);
  },
);

contract('columnOverrides hold for each record of many', async (subject) => {
  const ann = by(5, 'ann');
  expectAnswer(
    await post(subject, '/notes', ann, [{ code: 'A' }, { code: 'B', size: 10 }]),
    400,
    inputErrors({ 'records.1.size': 'value should be at most 9' }),
  );
  await post(subject, '/notes', ann, [{ code: 'A' }]);
  expectAnswer(
    await subject
      .request()
      .patch('/notes')
      .set(ann)
      .send({ ids: [1], changes: { size: 10 } }),
    400,
    inputErrors({ 'changes.size': 'value should be at most 9' }),
  );
});

contract('Lists of keys are written for each record of many', async (subject) => {
  for (const id of [1, 2, 3]) await subject.save(Label, { id, name: `L${id}` });
  const ann = by(5, 'ann');
  const records = [
    { code: 'A', label_ids: [2, 1] },
    { code: 'B', label_ids: [] },
    { code: 'C', label_ids: [3] },
  ];
  const sorted = (data: readonly { label_ids: number[] }[]) =>
    data.map(({ label_ids }) => label_ids.toSorted((one, other) => one - other));
  const created = await post(subject, '/labelled', ann, records);
  expect([created.status, sorted(created.body.data)]).toEqual([201, [[1, 2], [], [3]]]);
  const changed = await subject
    .request()
    .patch('/labelled')
    .set(ann)
    .send({
      records: [
        { id: 3, label_ids: [1, 3] },
        { id: 1, label_ids: [] },
      ],
    });
  expect([changed.status, sorted(changed.body.data)]).toEqual([200, [[1, 3], []]]);
  const upserted = await post(subject, '/kept-labelled', ann, [
    { code: 'D', label_ids: [2] },
    { code: 'A', label_ids: [3] },
  ]);
  expect([upserted.status, sorted(upserted.body.data)]).toEqual([201, [[2], [3]]]);
  expectAnswer(
    await post(subject, '/labelled', ann, [
      { code: 'E', label_ids: [1] },
      { code: 'F', label_ids: [9] },
    ]),
    400,
    inputErrors({ 'records.1.label_ids': 'the given record does not exist' }),
  );
});
