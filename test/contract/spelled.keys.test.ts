import { expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { TenantRecords } from '@nest-endpoints/auth';
import { EndpointGroup, IdempotencyRecord, RestfulApi } from '@nest-endpoints/core';
import { expectAnswer, inputErrors, success } from '../support/answers.js';
import { everyDatabase, service } from '../support/contract.js';
import { Claims } from './claims.js';

const Owned = defineEntity({
  name: 'SpelledOwned',
  properties: {
    id: p.integer().primary().autoincrement(),
    tenant: p.decimal('string').precision(10).scale(2),
    name: p.string(),
  },
});
const Key = defineEntity({
  name: 'SpelledKey',
  properties: {
    code: p.decimal('string').precision(8).scale(2).primary().autoincrement(false),
    name: p.string(),
    parts: () => p.oneToMany(Part).mappedBy('key'),
  },
});
const Part = defineEntity({
  name: 'SpelledPart',
  properties: {
    code: p.decimal('string').precision(8).scale(2).primary().autoincrement(false),
    key: () => p.manyToOne(Key).nullable(),
  },
});

const { contract } = service(
  {
    entities: [Owned, Key, Part, IdempotencyRecord],
    root: { authentication: new Claims() },
    endpoints: [
      new EndpointGroup({
        authorization: new TenantRecords({ columnName: 'tenant', claim: 'tenant' }),
        endpoints: [
          new RestfulApi({
            url: 'owned',
            modelClass: Owned,
            readableColumnNames: ['id', 'tenant'],
            writeableColumnNames: ['tenant', 'name'],
            searchableColumnNames: ['id'],
            sortableColumnNames: ['id'],
            defaultSortColumnName: 'id',
          }),
        ],
      }),
      new RestfulApi({
        url: 'keys',
        modelClass: Key,
        readableColumnNames: ['code', 'name'],
        writeableColumnNames: ['code', 'name'],
        writeableRelations: { parts: { through: 'parts' } },
        searchableColumnNames: ['code'],
        sortableColumnNames: ['code'],
        defaultSortColumnName: 'code',
        upsert: true,
        bulk: true,
        idempotency: true,
      }),
      new RestfulApi({
        url: 'parts',
        modelClass: Part,
        readableColumnNames: ['code', 'keyCode'],
        writeableColumnNames: ['code', 'keyCode'],
        searchableColumnNames: ['code'],
        sortableColumnNames: ['code'],
        defaultSortColumnName: 'code',
        bulk: true,
      }),
    ],
  },
  everyDatabase,
);

const as = (tenant: unknown) => ({ 'X-Claims': JSON.stringify({ sub: 'ann', tenant }) });
const ann = as('1');

/** A tenant of a claim, and how its column has it. */
const tenants = [
  ['5.0', '5.00'],
  ['05', '5.00'],
  ['0005.00', '5.00'],
  ['00', '0.00'],
  ['-0', '0.00'],
  ['-00.50', '-0.50'],
] as const;

for (const [claim, kept] of tenants)
  contract(`Who is of the tenant ${claim} may say ${kept}, and no other`, async ({ request }) => {
    const post = (tenant?: string) => request().post('/owned').set(as(claim)).send({ tenant, name: 'n' });
    const made = await post();
    expect([made.status, made.body.data]).toMatchObject([201, { tenant: kept }]);
    const { id } = made.body.data as { id: number };
    for (const tenant of [claim, kept]) {
      expect([tenant, (await post(tenant)).status]).toEqual([tenant, 201]);
      const patched = await request().patch(`/owned/${id}`).set(as(claim)).send({ tenant });
      expect([patched.status, patched.body.data]).toEqual([200, { id, tenant: kept }]);
    }
    for (const tenant of ['6', '5.001', '50'])
      expectAnswer(await post(tenant), 400, inputErrors({ tenant: 'must be your own' }));
  });

contract('A key in the body is that of the path, however it is spelled', async ({ request }) => {
  const put = (path: string, code: string) =>
    request().put(`/keys/${path}`).set(ann).send({ code, name: 'n' });
  expect((await put('05', '5')).status).toBe(201);
  expect((await put('5', '05.0')).status).toBe(200);
  expectAnswer(await put('05', '50'), 400, inputErrors({ code: 'must be as in the path' }));
});

contract('An Idempotency-Key is one, however the key in the path is spelled', async ({ request }) => {
  const replayed: unknown[] = [];
  for (const path of ['7', '07', '7.0', '007.00', '70']) {
    const put = request().put(`/keys/${path}`).set(ann).set('Idempotency-Key', '"k"');
    const { status, headers } = await put.send({ name: 'n' });
    replayed.push([status, headers['idempotency-replayed']]);
  }
  expect(replayed).toEqual([
    [201, undefined],
    ...Array.from({ length: 3 }, () => [201, 'true']),
    [201, undefined],
  ]);
});

contract('A record is referred to by its key, however it is spelled', async ({ request, save }) => {
  await save(Key, { code: '5', name: 'n' });
  const post = (code: string, key_code: string) => request().post('/parts').set(ann).send({ code, key_code });
  for (const [index, spelled] of ['5', '05', '005.0'].entries()) {
    const made = await post(String(index), spelled);
    expect([made.status, made.body.data]).toEqual([201, { code: `${index}.00`, key_code: '5.00' }]);
  }
  expect((await post('9', '50')).status).toBe(400);
  const records = [
    { code: '10', key_code: '5' },
    { code: '11', key_code: '05' },
  ];
  expect((await request().post('/parts/bulk').set(ann).send({ records })).status).toBe(201);
});

contract('Two spellings of one key in a request are one key', async ({ request, save }) => {
  const bulk = await request()
    .post('/keys/bulk')
    .set(ann)
    .send({
      records: [
        { code: '8', name: 'n' },
        { code: '08.0', name: 'n' },
      ],
    });
  expect([bulk.status, bulk.body.input_errors]).toMatchObject([400, {}]);
  await save(Key, { code: '5', name: 'n' });
  const change = (parts: object) => request().patch('/keys/5').set(ann).send({ parts });
  expect((await change({ create: [{ code: '1' }, { code: '2' }] })).status).toBe(200);
  const twice = await change({ delete: ['1', '01'] });
  expect([twice.status, JSON.stringify(twice.body.input_errors)]).toEqual([
    400,
    expect.stringContaining('the same record is named in'),
  ]);
});

contract('A reference is rounded as the key is', async ({ request, save }) => {
  await save(Key, { code: '5', name: 'n' });
  const post = (code: string, key_code: string) => request().post('/parts').set(ann).send({ code, key_code });
  expect((await post('1', '5.004')).body.data).toEqual({ code: '1.00', key_code: '5.00' });
  const patched = await request().patch('/parts/1').set(ann).send({ key_code: 4.996 });
  expectAnswer(patched, 200, success({ code: '1.00', key_code: '5.00' }));
  expectAnswer(await post('2', '5.006'), 400, inputErrors({ key_code: 'the given record does not exist' }));
});

contract('Keys of new records that are rounded to one are one', async ({ request }) => {
  const records = ['8.001', '8.004'].map((code) => ({ code, name: 'n' }));
  const taken = "Invalid value for 'code': the given value already exists, and must be unique.";
  const answer = await request().post('/keys/bulk').set(ann).send({ records });
  expectAnswer(answer, 400, inputErrors({ 'records.1.code': taken }));
});

contract('A path that would be rounded is no record', async ({ request, save }) => {
  await save(Part, { code: '5' });
  const path = '/parts/5.004';
  expect((await request().get(path).set(ann)).status).toBe(404);
  expect((await request().patch(path).set(ann).send({ key_code: null })).status).toBe(404);
  expect((await request().delete(path).set(ann)).status).toBe(404);
  expect((await request().delete('/parts/05.000').set(ann)).status).toBe(200);
});
