import { expect } from '@jest/globals';
import { RestfulApi } from '@nest-endpoints/core';
import { expectAnswer, success } from '../support/answers.js';
import { service } from '../support/contract.js';
import { Ware } from '../support/entities/stock.js';
import { stockWith } from './advanced-search.wares.js';
import { aggregate, answered, store } from './aggregate.stock.js';

const { contract } = service(
  stockWith([
    aggregate({ url: 'counted', count: 'exact', limit: 2, maximumLimit: 3, maximumGroupings: 1 }),
    aggregate({ url: 'large', minimumGroupSize: 2, count: 'exact' }),
    aggregate({ url: 'needed', requiredColumnNames: ['state'], where: ['size >= 0'] }),
    new RestfulApi<Ware>({
      url: 'wares',
      modelClass: Ware,
      readableColumnNames: ['id'],
      writeableColumnNames: ['label'],
      sortableColumnNames: ['id'],
      searchableColumnNames: ['state'],
      defaultSortColumnName: 'id',
      count: 'none',
      aggregate: { groupableColumnNames: ['state'], count: 'exact' },
      facets: { facetColumnNames: ['state', 'fragile'] },
    }),
  ]),
);

contract('Pages of groups follow one another, and count exact tells how many there are', async (subject) => {
  await store(subject);
  const { request } = subject;
  const first = [
    { size: 4, count: 2 },
    { size: -1, count: 1 },
  ];
  const path = '/counted?group_by=size&sort=count&direction=desc';
  expectAnswer(
    await request().get(path),
    200,
    success(first, { number_results: 4, limit: 2, next_page: { start: 2 } }),
  );
  const rest = [
    { size: 3, count: 1 },
    { size: null, count: 1 },
  ];
  expectAnswer(
    await request().get(`${path}&start=2`),
    200,
    success(rest, { number_results: 4, limit: 2, next_page: {} }),
  );
  expectAnswer(
    await request().get(`${path}&start=9`),
    200,
    success([], { number_results: 4, limit: 2, next_page: {} }),
  );
  expectAnswer(
    await request()
      .post('/counted')
      .send({ group_by: ['size'], start: 3, limit: 3 }),
    200,
    success([{ size: null, count: 1 }], { number_results: 4, limit: 3, next_page: {} }),
  );
});

contract('having keeps the groups whose measures meet it, shown or not', async (subject) => {
  await store(subject);
  const { request } = subject;
  const having = async (...entries: readonly object[]): Promise<unknown[]> => {
    const { status, body } = await request()
      .post('/counted')
      .send({ group_by: ['state'], having: entries, measures: ['count'] });
    expect([status, body.error]).toEqual([200, '']);
    expect(body.pagination.number_results).toBe(body.data.length);
    return body.data.map(({ state }: { state: unknown }) => state);
  };
  expect(await having({ measure: 'count', operator: '>=', value: 2 })).toEqual(['new', 'used']);
  expect(await having({ measure: 'size.sum', operator: '>', value: '4' })).toEqual(['new']);
  expect(await having({ measure: 'size.sum', operator: 'in', value: [4, '7.0'] })).toEqual(['new', 'used']);
  expect(await having({ measure: 'size.avg', operator: '=', value: 3.5 })).toEqual(['new']);
  expect(await having({ measure: 'serial.max', operator: '>', value: '9007199254740992' })).toEqual([null]);
  expect(await having({ measure: 'sold_at.min', operator: '=', value: '2024-01-01T00:30:00Z' })).toEqual([
    'new',
  ]);
  expect(await having({ measure: 'weight.max', operator: 'is null' })).toEqual([null]);
  expect(
    await having(
      { measure: 'label.min', operator: 'like', value: 'a%' },
      { measure: 'count', operator: '>', value: 1 },
    ),
  ).toEqual(['new', 'used']);
});

contract(
  'Groups of fewer records than minimumGroupSize are neither shown nor counted, with having neither',
  async (subject) => {
    await store(subject);
    const { request } = subject;
    const groups = [
      { state: 'new', count: 2 },
      { state: 'used', count: 2 },
    ];
    const page = { number_results: 2, limit: 100, next_page: {} };
    expectAnswer(await request().get('/large?group_by=state'), 200, success(groups, page));
    for (const having of [
      [{ measure: 'count', operator: '<=', value: 2 }],
      [{ measure: 'size.count', operator: '>=', value: 0 }],
    ])
      expectAnswer(
        await request()
          .post('/large')
          .send({ group_by: ['state'], having }),
        200,
        success(groups, page),
      );
    const one = [{ measure: 'count', operator: '=', value: 1 }];
    expectAnswer(
      await request()
        .post('/large')
        .send({ group_by: ['state'], having: one }),
      200,
      success([], { ...page, number_results: 0 }),
    );
    expectAnswer(
      await request().get('/large?size=-1&measure=count,size.max'),
      200,
      success({ size_max: null, count: 0 }),
    );
    expectAnswer(
      await request().get('/large?label=b&group_by=state'),
      200,
      success([], { ...page, number_results: 0 }),
    );
  },
);

contract(
  'Two requests that differ by one condition never show a group below minimumGroupSize',
  async (subject) => {
    await store(subject);
    const { request } = subject;
    for (const state of ['new', 'used'])
      for (const size of [-1, 3, 4]) {
        const where = [{ column: 'size', operator: '!=', value: size }];
        const { body } = await request()
          .post('/large')
          .send({ group_by: ['state', 'fragile'], where });
        for (const { count } of body.data) expect(count).toBeGreaterThanOrEqual(2);
        expect((await request().get(`/large?state=${state}&size=${size}`)).body.data).toEqual({ count: 0 });
      }
  },
);

contract('requiredColumnNames demands a condition, and where holds for every request', async (subject) => {
  await store(subject);
  const { request } = subject;
  expect((await request().get('/needed')).body.error).toBe("'state' is required");
  expect((await request().post('/needed').send({ where: [] })).body.error).toBe("'state' is required");
  expect(await answered(subject, '/needed?state=used')).toEqual({ count: 1 });
  const where = [{ column: 'state', operator: 'is null' }];
  expect((await request().post('/needed').send({ where })).body.data).toEqual({ count: 0 });
});

contract('A RestfulApi has its aggregate and its facets before its records', async (subject) => {
  await store(subject);
  const { request } = subject;
  expectAnswer(
    await request().get('/wares/aggregate?state=new&group_by=state'),
    200,
    success([{ state: 'new', count: 2 }], { number_results: 1, limit: 100, next_page: {} }),
  );
  expect(await answered(subject, '/wares/facets?facets=state')).toEqual({
    state: [
      { value: 'new', count: 2 },
      { value: 'used', count: 2 },
      { value: null, count: 1 },
    ],
  });
  expectAnswer(await request().get('/wares/1'), 200, success({ id: 1 }));
});
