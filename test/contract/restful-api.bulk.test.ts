import { describe, expect } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import { CreateMany, IdempotencyRecord, RestfulApi } from '@nest-endpoints/core';
import { clientError, expectAnswer, inputErrors, notFound, success } from '../support/answers.js';
import { startUpError } from '../support/application.js';
import { service } from '../support/contract.js';
import { columns, land, Land, many, Place } from './bulk.places.js';
import { Claims } from './claims.js';

const api = {
  ...columns,
  readableColumnNames: ['id', 'name', 'size'],
  sortableColumnNames: ['id'],
  searchableColumnNames: ['size'],
  defaultSortColumnName: 'id',
} as const;

/** A record of an owner. */
const Memo = defineEntity({
  name: 'Memo',
  properties: { id: p.integer().primary().autoincrement(), text: p.string(), land: () => p.manyToOne(Land) },
});

const { contract } = service({
  entities: [...land, Memo, IdempotencyRecord],
  endpoints: [
    new RestfulApi({ ...api, url: 'places', bulk: true, byConditions: true, idempotency: true }),
    new RestfulApi({ ...api, url: 'some', bulk: ['update'], answer: 'ids', maximumRecords: 2 }),
    new RestfulApi({ ...api, url: 'none' }),
    new RestfulApi({ ...api, url: 'read', bulk: true, readOnly: true }),
    new RestfulApi({ ...api, url: 'posted', bulk: true, requestMethods: ['POST', 'GET'] }),
    new RestfulApi({ ...api, url: 'dropped', bulk: true, createManyEndpoint: null }),
    new RestfulApi({
      ...api,
      url: 'codes',
      idColumnName: 'code',
      bulk: true,
      bulkUrl: '~bulk',
      answer: 'ids',
    }),
    new RestfulApi({ ...api, url: 'guarded', bulk: true, access: { delete: new Claims() } }),
    new RestfulApi({
      modelClass: Memo,
      url: 'lands/:landCode/memos',
      parent: 'land',
      readableColumnNames: ['id', 'text', 'landCode'],
      writeableColumnNames: ['text'],
      sortableColumnNames: ['id'],
      searchableColumnNames: [],
      defaultSortColumnName: 'id',
      bulk: true,
    }),
  ],
});

const missing = 'the given record does not exist';

contract('With bulk a RestfulApi writes many records at its bulk url', async ({ request, count }) => {
  const records = [{ name: 'A' }, { name: 'B', size: 2 }];
  expectAnswer(
    await request().post('/places/bulk').send({ records }),
    201,
    success([
      { id: 1, name: 'A', size: null },
      { id: 2, name: 'B', size: 2 },
    ]),
  );
  expectAnswer(
    await request()
      .patch('/places/bulk')
      .send({ ids: [2, 1], changes: { size: 3 } }),
    200,
    success([
      { id: 2, name: 'B', size: 3 },
      { id: 1, name: 'A', size: 3 },
    ]),
  );
  const where = [{ column: 'size', operator: '=', value: 3 }];
  expectAnswer(await request().delete('/places/bulk').send({ where, maximum: 2 }), 200, success({}));
  expect(await count(Place)).toBe(0);
});

contract(
  'bulk, readOnly, requestMethods and null say which writes of many records there are',
  async ({ request }) => {
    const records = [{ name: 'A' }];
    for (const url of ['/some/bulk', '/none/bulk', '/read/bulk', '/dropped/bulk'])
      expectAnswer(await request().post(url).send({ records }), 404, notFound);
    expectAnswer(
      await request().post('/posted/bulk').send({ records }),
      201,
      success([{ id: 1, name: 'A', size: null }]),
    );
    expectAnswer(
      await request()
        .patch('/posted/bulk')
        .send({ ids: [1], changes: {} }),
      404,
      notFound,
    );
    expectAnswer(
      await request()
        .patch('/some/bulk')
        .send({ ids: [1], changes: { size: 1 } }),
      200,
      success([1]),
    );
    expectAnswer(
      await request()
        .delete('/dropped/bulk')
        .send({ ids: [1] }),
      200,
      success({}),
    );
  },
);

contract('The id column of a RestfulApi names the records of its bulk writes', async ({ request }) => {
  const records = [
    { name: 'A', code: 'bulk' },
    { name: 'B', code: 'b' },
  ];
  expectAnswer(await request().post('/codes/~bulk').send({ records }), 201, success(['bulk', 'b']));
  expectAnswer(
    await request()
      .patch('/codes/~bulk')
      .send({ records: [{ code: 'b', size: 1 }] }),
    200,
    success(['b']),
  );
  expect((await request().get('/codes/bulk')).body).toMatchObject({ data: { name: 'A' } });
});

contract('The access to an operation is that to it for many records', async ({ request, save }) => {
  await save(Place, { name: 'A' });
  expect(
    (
      await request()
        .patch('/guarded/bulk')
        .send({ ids: [1], changes: {} })
    ).status,
  ).toBe(200);
  expect(
    (
      await request()
        .delete('/guarded/bulk')
        .send({ ids: [1] })
    ).status,
  ).toBe(401);
  const sent = request().delete('/guarded/bulk').set('X-Claims', '{"sub":"me"}');
  expect((await sent.send({ ids: [1] })).status).toBe(200);
});

contract('Many records of a nested resource are of the parent in the path', async ({ request, save, em }) => {
  await save(Land, { code: 'FR', name: 'France' });
  await save(Land, { code: 'DE', name: 'Germany' });
  await save(Memo, { text: 'German', land: 'DE' });
  const records = [{ text: 'A' }, { text: 'B' }];
  expectAnswer(
    await request().post('/lands/FR/memos/bulk').send({ records }),
    201,
    success([
      { id: 2, text: 'A', land_code: 'FR' },
      { id: 3, text: 'B', land_code: 'FR' },
    ]),
  );
  for (const ids of [
    [2, 1],
    [2, 99],
  ])
    expectAnswer(
      await request()
        .patch('/lands/FR/memos/bulk')
        .send({ ids, changes: { text: 'x' } }),
      400,
      inputErrors({ 'ids.1': missing }),
    );
  expectAnswer(
    await request()
      .delete('/lands/FR/memos/bulk')
      .send({ ids: [1] }),
    400,
    inputErrors({ 'ids.0': missing }),
  );
  expectAnswer(await request().post('/lands/XX/memos/bulk').send({ records }), 404, notFound);
  expect(await em().count(Memo, { text: 'x' })).toBe(0);
});

contract(
  'A CreateMany that is sent again under its key creates nothing twice',
  async ({ request, count }) => {
    const records = many(3, (index) => ({ name: `n${index}` }));
    const send = (sent: object) => request().post('/places/bulk').set('Idempotency-Key', '"k"').send(sent);
    const [first, second] = await Promise.all([send({ records }), send({ records })]);
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body).toEqual(first.body);
    expect(await count(Place)).toBe(3);
    const other = await send({ records: records.slice(1) });
    expectAnswer(other, 409, clientError('The Idempotency-Key was sent with another request before'));
    expect((await send({ records })).headers['idempotency-replayed']).toBe('true');
  },
);

describe('At start-up', () => {
  const errorOf = (endpoint: RestfulApi<Place> | CreateMany<Place>): Promise<string> =>
    startUpError({ entities: land, endpoints: [endpoint] });

  contract('a bulk url that a record may be called by must be named', async () => {
    const named = { ...api, url: 'codes', idColumnName: 'code', bulk: true } as const;
    expect(await errorOf(new RestfulApi(named))).toContain(
      "bulkUrl: a record may have 'bulk' as its code; name the segment, e.g. '~bulk'",
    );
  });

  contract('options of bulk writes that cannot be are refused', async () => {
    expect(() => new RestfulApi({ ...api, url: 'a', bulk: true, maximumRecords: 10_001 })).toThrow(
      'maximumRecords',
    );
    expect(() => new RestfulApi({ ...api, url: 'a', bulk: ['get' as 'update'] })).toThrow(
      "bulk: entry 1: 'get'",
    );
    expect(() => new RestfulApi({ ...api, url: 'a', bulk: true, bulkUrl: 'a/b' })).toThrow('bulkUrl');
    const unsearched = {
      ...api,
      searchableColumnNames: [],
      url: 'a',
      bulk: true,
      byConditions: true,
    } as const;
    expect(await errorOf(new RestfulApi(unsearched))).toContain('byConditions: needs searchableColumnNames');
    const mapped = { ...columns, url: 'a', answer: 'ids', outputMap: () => 1 } as const;
    expect(await errorOf(new CreateMany(mapped))).toContain('outputMap');
  });
});
